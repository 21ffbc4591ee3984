import type { CommandInput, CommandOutput } from '../../../shared/contract.ts'
import { findLabelNameProblem } from '../../../shared/label-rules.ts'
import type { Label } from '../../../shared/model.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import {
  toUnifiedLabelId,
  labelNameOf,
  parseLabelCreationId,
  toLabelCreationId,
  type AccountScopedId,
} from './unified-ids.ts'
import type { OpenAccounts } from './open-accounts.ts'
import type { OpenInbox, OpenInboxes } from './open-inboxes.ts'

type Change = CommandInput<'thread.change'>['change']

/** A thread change translated for one inbox, with its label IDs. */
export interface InboxChange {
  /** Null if nothing is left to do: the inbox has none of the labels. */
  readonly change: Change | null
  readonly made: readonly AccountScopedId[]
}

export const toUnifiedLabel = (label: Label): Label => ({ ...label, id: toUnifiedLabelId(label.name) })

const findByName = (labels: readonly Label[], name: string | null): Label | undefined =>
  name === null ? undefined : labels.find((label) => label.name === name)

/**
 * Labels of all inboxes, combined by name. A label created here is added to an inbox with its first thread there, so
 * that colleagues don't find it in every inbox.
 */
export class UnifiedLabels {
  readonly #accounts: OpenAccounts
  readonly #places: OpenInboxes
  readonly #onChange: () => void
  /** Serialises creation: two concurrent changes may need the same label. */
  #creation: Promise<unknown> = Promise.resolve()
  readonly #createdLabels = new Map<string, Label>()

  constructor(accounts: OpenAccounts, places: OpenInboxes, onChange: () => void) {
    this.#accounts = accounts
    this.#places = places
    this.#onChange = onChange
  }

  /** In the order of the inboxes. */
  async all(): Promise<readonly Label[]> {
    const labels = new Map<string, Label>()
    for (const place of await this.#places.all()) {
      for (const label of await this.#places.labels(place)) {
        if (!labels.has(label.name)) labels.set(label.name, toUnifiedLabel(label))
      }
    }
    for (const [name, label] of this.#createdLabels) if (!labels.has(name)) labels.set(name, label)
    return [...labels.values()]
  }

  /** Returns a change ID for undo; `invalid_input` if the name is taken. */
  async create(name: string, color: string): Promise<Result<CommandOutput<'label.create'>>> {
    const fault = findLabelNameProblem(name, await this.all())
    if (fault !== null) return fail('invalid_input', fault)
    const id = toUnifiedLabelId(name.trim())
    this.#createdLabels.set(name.trim(), { id, name: name.trim(), color })
    this.#onChange()
    return ok({ changeId: toLabelCreationId(name.trim(), color), labelId: id })
  }

  /** Undoes or redoes the creation of a label. @returns true if the change ID is for creating a label */
  toggleCreation(changeId: string): boolean {
    const label = parseLabelCreationId(changeId)
    if (label === null) return false
    if (!this.#createdLabels.delete(label.name))
      this.#createdLabels.set(label.name, { ...label, id: toUnifiedLabelId(label.name) })
    this.#onChange()
    return true
  }

  /** Inboxes that have a label of this name, with its local ID. */
  async holders(labelId: string): Promise<readonly { readonly place: OpenInbox; readonly labelId: string }[]> {
    const name = labelNameOf(labelId)
    const found: { readonly place: OpenInbox; readonly labelId: string }[] = []
    for (const place of await this.#places.all()) {
      const label = findByName(await this.#places.labels(place), name)
      if (label !== undefined) found.push({ place, labelId: label.id })
    }
    return found
  }

  /** Translates a query for an inbox; null if it requires labels that the inbox lacks. */
  async translateQuery(place: OpenInbox, query: ThreadQuery): Promise<ThreadQuery | null> {
    const inboxIds = [place.inbox.id]
    const { assignedTo, notAssignedTo } = query
    if (query.labelIds.length === 0 && assignedTo === null && notAssignedTo.length === 0) return { ...query, inboxIds }
    const labels = await this.#places.labels(place)
    const localIds = (ids: readonly string[]): readonly string[] =>
      ids.flatMap((id) => findByName(labels, labelNameOf(id))?.id ?? [])
    const here = {
      labelIds: localIds(query.labelIds),
      assignedTo: assignedTo && localIds(assignedTo),
      notAssignedTo: localIds(notAssignedTo),
    }
    const matchesNothing = here.assignedTo?.length === 0 || (query.labelIds.length > 0 && here.labelIds.length === 0)
    return matchesNothing ? null : { ...query, ...here, inboxIds }
  }

  /** Translates a query for every inbox; leaves out inboxes that lack its labels. */
  async partsOf(query: ThreadQuery): Promise<readonly { readonly place: OpenInbox; readonly query: ThreadQuery }[]> {
    const parts = (await this.#places.all()).map(async (place) => ({
      place,
      query: await this.translateQuery(place, query),
    }))
    return (await Promise.all(parts)).flatMap(({ place, query: here }) =>
      here === null ? [] : [{ place, query: here }],
    )
  }

  /** Translates a change for an inbox; first creates labels that it adds. */
  translateChange(place: OpenInbox, change: Change): Promise<Result<InboxChange>> {
    const turn = this.#creation.then(() => this.#translateChange(place, change))
    this.#creation = turn.catch(() => undefined)
    return turn
  }

  async #translateChange(place: OpenInbox, change: Change): Promise<Result<InboxChange>> {
    const { addLabels, removeLabels, setLabels, ...rest } = change
    const labels = await this.#places.labels(place)
    const made: AccountScopedId[] = []
    const idsOf = async (ids: readonly string[]): Promise<Result<string[]>> => {
      const here: string[] = []
      for (const id of ids) {
        const result = await this.#findOrCreateLabel(place, labels, id)
        if (!result.ok) return result
        here.push(result.data.labelId)
        if (result.data.made !== null) made.push(result.data.made)
      }
      return ok(here)
    }
    const added = addLabels === undefined ? null : await idsOf(addLabels)
    if (added?.ok === false) return added
    const set = setLabels === undefined ? null : await idsOf(setLabels)
    if (set?.ok === false) return set
    const removed = removeLabels?.flatMap((id) => findByName(labels, labelNameOf(id))?.id ?? [])
    const here: Change = {
      ...rest,
      ...(added === null || added.data.length === 0 ? {} : { addLabels: added.data }),
      ...(removed === undefined || removed.length === 0 ? {} : { removeLabels: removed }),
      ...(set === null ? {} : { setLabels: set.data }),
    }
    return ok({ change: Object.values(here).every((value) => value === undefined) ? null : here, made })
  }

  async #findOrCreateLabel(
    place: OpenInbox,
    labels: readonly Label[],
    id: string,
  ): Promise<Result<{ readonly labelId: string; readonly made: AccountScopedId | null }>> {
    const name = labelNameOf(id)
    const here = findByName(labels, name)
    if (here !== undefined) return ok({ labelId: here.id, made: null })
    const wanted = findByName(await this.all(), name)
    if (wanted === undefined) return fail('not_found', 'This label no longer exists. Nothing was changed.')
    const { accountId, inbox } = place
    const { color } = wanted
    const created = await this.#accounts.of(accountId).call('label.create', {
      inboxId: inbox.id,
      name: wanted.name,
      color: /^#[\da-f]{6}$/i.test(color) ? color : '#64748B',
    })
    if (!created.ok) return created
    await this.#places.rereadLabels(accountId, inbox.id)
    return ok({ labelId: created.data.labelId, made: { accountId, id: created.data.changeId } })
  }
}
