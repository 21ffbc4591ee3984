import {
  contract,
  isCommand,
  type CommandName,
  type CommandOutput,
  type Events,
  type LinnetEvent,
  type ParsedInput,
  type ReplacedLabel,
} from '../../shared/contract.ts'
import { toInvalidInputProblem } from '../../shared/invalid-input-problem.ts'
import { findLabelNameProblem } from '../../shared/label-rules.ts'
import { FOLDERS, type ChangeProgress, type Label, type SyncStatus, type ThreadPage } from '../../shared/model.ts'
import {
  createProblem,
  fail,
  ok,
  ProblemError,
  toProblem,
  unwrap,
  type Problem,
  type Result,
} from '../../shared/result.ts'
import { isMarkLabel } from '../../shared/thread-marks.ts'
import type { ThreadQuery } from '../../shared/thread-query.ts'
import {
  ALL_INBOXES,
  joinIds,
  labelNameOf,
  parseLabelCreationId,
  splitIds,
  toLabelCreationId,
  toUnifiedLabelId,
} from '../../shared/unified-ids.ts'
import type { OpenAccount } from '../account.ts'
import { openList, type ListOptions, type OpenList } from '../mail/threads/open-list.ts'
import { readInOrder } from '../mail/threads/read-in-order.ts'
import { systemClock } from '../timing/clock.ts'
import { readUnifiedList, type PlacedList } from '../mail/unified-threads/unified-list.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { toStorageError } from '../store/storage-problem.ts'
import {
  findOwners,
  toKey,
  toLocalInput,
  toUnifiedData,
  toUnifiedThread,
  type Fields,
  type Place,
} from './unified-data.ts'
import { mergeData, mergeResponses, mergeSyncStatus } from './unified-merges.ts'

/** An open account. While its files can't be read, all but `call` throw, and its mail is left out. */
export interface JoinedAccount {
  readonly call: (name: string, input: unknown, caller: string) => Promise<Result<unknown>>
  readonly inboxes: () => readonly { readonly id: string; readonly onServer: boolean }[]
  readonly labels: (inboxId: string) => readonly Label[]
  readonly list: (query: ThreadQuery, options: ListOptions) => OpenList
}

type ReadAccount = Pick<ReopeningAccount, 'current' | 'whenReady' | 'isReopening'>

/** Reads an account's files. @throws ProblemError while it reopens, which doesn't take long */
const readable = (account: ReadAccount): OpenAccount => {
  // An account that failed to open is retried.
  void account.whenReady()
  if (!account.isReopening()) return account.current()
  throw createProblem('storage_failed', 'This account is reopening. Its mail will appear in a moment.')
}

export const joinAccount = (account: ReadAccount): Omit<JoinedAccount, 'call'> => ({
  inboxes: () => readable(account).own.cache.inboxes.all(),
  labels: (inboxId) => {
    const { cache } = readable(account).own
    return cache.labels.all(cache.inboxes.require(inboxId).key)
  },
  list: (query, options) => {
    const { own, background, mail } = readable(account)
    const { cache, outbox } = own
    const { threads, freshness } = background
    return openList({ cache, outbox, threads, freshness, searches: mail.searches }, query, options)
  },
})

/** A call for all open accounts. */
interface Call {
  /** In the user's order. */
  readonly accountIds: readonly string[]
  readonly name: CommandName
  readonly input: Fields
  readonly caller: string
}

interface JoinedInbox extends Place {
  readonly inboxId: string
  readonly onServer: boolean
}

type ChangeReceipt = CommandOutput<'label.update'>

const THREAD_NOT_FOUND = 'This thread is not in any of your open inboxes.'
const DRAFT_NOT_FOUND = 'This draft is not in any of your open accounts.'
const ONE_ACCOUNT_NEEDED = 'This action works in one account at a time. Choose an inbox first.'
const LABEL_NOT_FOUND = 'This label no longer exists. Nothing was changed.'
const ACCOUNT_CLOSED = fail('no_account', 'This account is not open. Open it, or connect another.')

/** Commands whose response, or each item of it, has the ID of an object that belongs to one account. */
const OBJECT_COMMANDS: readonly CommandName[] = [
  ...(['draft.list', 'draft.open', 'draft.settle', 'draft.cancelSending', 'snippet.list', 'cannedReply.save'] as const),
  ...(['template.list', 'problem.list', 'assistant.proposals'] as const),
]

const parse = <Name extends 'thread.list' | 'label.create'>(name: Name, input: Fields): ParsedInput<Name> => {
  const parsed = contract[name].input.safeParse(input)
  if (!parsed.success) throw new ProblemError(toInvalidInputProblem(name, parsed.error.issues))
  return parsed.data as ParsedInput<Name>
}

/**
 * All inboxes of all open accounts as if they were one inbox (`ALL_INBOXES`) of one account. IDs of threads, labels and
 * changes include their account, and labels of the same name are one. A call goes to the account or inbox that its IDs
 * name, or to several (`UnifiedRouting`), whose responses are merged.
 */
export class AllInboxes {
  readonly #accounts: ReadonlyMap<string, JoinedAccount>
  readonly #emit: (event: LinnetEvent) => void
  readonly #report: (thrown: unknown) => void
  /** Account of the conversation that a window opened last, by the window. */
  readonly #opened = new Map<string, string>()
  /**
   * Labels that no inbox has yet, by name. An inbox gets such a label with its first thread there, so that colleagues
   * don't find it in every inbox.
   */
  readonly #newLabels = new Map<string, Label>()
  /** Names of a label so far, latest last, by its inbox and ID. */
  readonly #labelNames = new Map<string, string[]>()
  /** ID of the whole change by the ID of each of its parts, for changes with several parts. */
  readonly #wholeChangeIds = new Map<string, string>()
  readonly #statuses = new Map<string, SyncStatus>()
  /** Serialises the creation of labels: two concurrent changes may need the same one. */
  #labelCreation: Promise<unknown> = Promise.resolve()
  /** False until the first call. */
  #isShown = false
  #inboxIds: readonly string[] = []

  constructor(
    accounts: ReadonlyMap<string, JoinedAccount>,
    emit: (event: LinnetEvent) => void,
    report: (thrown: unknown) => void,
  ) {
    this.#accounts = accounts
    this.#emit = emit
    this.#report = report
  }

  /** Runs an `engine` command of the contract. Never throws. @param accountIds open accounts, in the user's order */
  async call(accountIds: readonly string[], name: string, input: unknown, caller: string): Promise<Result<unknown>> {
    this.#isShown = true
    try {
      if (!isCommand(name) || contract[name].target !== 'engine')
        throw createProblem('invalid_input', `There is no command named ${JSON.stringify(name)} here.`)
      const fields = typeof input === 'object' && input !== null ? (input as Fields) : {}
      return ok(await this.#run({ accountIds, name, input: fields, caller }))
    } catch (thrown) {
      return { ok: false, error: this.#toProblem(thrown) }
    }
  }

  /** Call when a window has closed. */
  leave(caller: string): void {
    this.#opened.delete(caller)
  }

  /** Call when an account was opened or closed. */
  accountsChanged(): void {
    for (const id of this.#statuses.keys()) if (!this.#accounts.has(id)) this.#statuses.delete(id)
    this.#inboxesChanged()
  }

  /** Emits an account's event again, for all inboxes. */
  forward(accountId: string, event: LinnetEvent): void {
    if (event.name === 'inboxes.changed') return this.#inboxesChanged()
    if (event.name === 'mail.arrived' || !this.#hasListeners()) return
    this.#emit({ name: event.name, payload: this.#toUnifiedPayload(accountId, event) } as LinnetEvent)
  }

  #toUnifiedPayload(accountId: string, { name, payload }: LinnetEvent): unknown {
    if (name === 'sync.changed') return mergeSyncStatus([...this.#statuses.set(accountId, payload).values()])
    const unified = toUnifiedData(payload, { accountId, inboxId: null }, []) as Fields
    // A draft is listed both under its inbox and in the combined list.
    if (name === 'drafts.changed') return { inboxIds: [ALL_INBOXES, ...(unified.inboxIds as readonly string[])] }
    if (payload === null || !('inboxId' in payload)) return unified
    const inAll = { ...unified, inboxId: ALL_INBOXES }
    if (name === 'labels.changed')
      return { ...inAll, replaced: this.#renamedLabels({ accountId, inboxId: payload.inboxId }) }
    if (name !== 'threads.changed') return inAll
    const { inboxId, labelIds, searches } = payload
    this.#labels({ accountId, inboxId })
    const names = labelIds.flatMap((id) => this.#labelNames.get(joinIds([{ accountId, id }])) ?? [])
    return {
      ...inAll,
      // Marks have the same ID in every inbox.
      labelIds: [...labelIds.filter(isMarkLabel), ...new Set(names.map(toUnifiedLabelId))],
      // A combined search has a different key than its parts.
      searches: searches?.length === 0 ? [] : null,
    } satisfies Partial<Events['threads.changed']>
  }

  /** A window may have shown all inboxes before this engine was started, but only if there are several. */
  #hasListeners(): boolean {
    return this.#isShown || this.#inboxIds.length > 1
  }

  #inboxesChanged(): void {
    const accountIds = [...this.#accounts.keys()]
    const inboxIds = this.#joined(accountIds).map(toKey)
    const isSame = inboxIds.join(' ') === this.#inboxIds.join(' ')
    this.#inboxIds = inboxIds
    if (this.#hasListeners()) this.#emit({ name: 'inboxes.changed', payload: null })
    if (isSame || !this.#isShown) return
    // Every list now has more or fewer threads.
    const labelIds = this.#allLabels(accountIds).map(({ id }) => id)
    const payload = { inboxId: ALL_INBOXES, folders: FOLDERS, labelIds, localOnly: true, threadIds: [], searches: null }
    this.#emit({ name: 'threads.changed', payload })
  }

  async #run(call: Call): Promise<unknown> {
    const { name, input, caller } = call
    if (name === 'thread.list') return this.#list(call)
    if (name === 'label.list') return this.#allLabels(call.accountIds)
    if (name === 'label.create') return this.#createLabel(call)
    const newLabel = this.#newLabels.get(labelNameOf(String(input.labelId)) ?? '')
    const isNowhere = newLabel !== undefined && this.#targets(call).every((at) => !this.#hasLabel(at, newLabel.id))
    if (name === 'label.usage' && isNowhere) return { labelId: newLabel.id, threads: 0 }
    if (name === 'label.delete' && isNowhere) return { changeId: this.#toggleNewLabel(newLabel), threads: 0 }
    // Otherwise a label that is renamed or deleted in its inboxes would return.
    if (newLabel !== undefined && name !== 'label.usage') this.#newLabels.delete(newLabel.name)
    if (name === 'change.undo') return this.#undo(String(input.changeId), caller)
    if (name === 'change.cancel') return mergeData(await this.#callParts(name, String(input.changeId), caller))
    const made = name === 'thread.change' ? await this.#createMissingLabels(call) : []
    const data = await this.#route(call, made)
    return name === 'change.underWay' ? this.#joinProgress(data as readonly ChangeProgress[]) : data
  }

  /** Calls the places that the input identifies. @param made changes that belong to this one, undone if a part fails */
  async #route(call: Call, made: readonly string[]): Promise<unknown> {
    const { name, input, caller } = call
    const { across } = contract[name]
    const parts = this.#targets(call).flatMap((at) => {
      const local = toLocalInput(input, at, () => this.#labels(at))
      return local === null ? [] : [{ at, local }]
    })
    const missing = name.startsWith('label.') ? LABEL_NOT_FOUND : THREAD_NOT_FOUND
    if (parts.length === 0) throw createProblem('not_found', missing)
    const results = await Promise.all(parts.map(({ at, local }) => this.#callPlace(at, name, local, caller)))
    const done = results.flatMap((result) => (result.ok ? [result.data] : []))
    const failed = results.find((result) => !result.ok)
    if (failed !== undefined && (across === 'whole' || done.length === 0)) {
      const changeIds = [...made, ...done.flatMap(({ changeId }) => changeId ?? [])].join(' ')
      await this.#callParts('change.undo', changeIds, caller).catch(() => undefined)
      return unwrap(failed)
    }
    const data = across === 'owner' ? (done[0] ?? null) : mergeResponses(name, done, input)
    if (failed !== undefined && data !== null && 'isWhole' in data) return { ...data, isWhole: false }
    const changeId = data?.changeId
    return typeof changeId === 'string' ? { ...data, changeId: this.#joinChanges([...made, changeId]) } : data
  }

  /** @throws ProblemError if the input doesn't name what the command needs, or it isn't open */
  #targets({ accountIds, name, input, caller }: Call): readonly Place[] {
    const { across } = contract[name]
    const { threads, inboxes, accountIds: owners, isAllInboxes } = findOwners(input)
    const named = threads.length > 0 ? threads : inboxes
    const open = named.flatMap((place) => (place !== null && accountIds.includes(place.accountId) ? [place] : []))
    if (across === 'merged' || (across === 'whole' && open.length === named.length)) {
      if (named.length > 0) return open
      // Drafts may belong to an inbox that isn't known yet.
      if (!isAllInboxes || name === 'draft.list') return accountIds.map((accountId) => ({ accountId, inboxId: null }))
      // In an inbox that the platform has deleted, threads can only be changed one by one.
      return this.#joined(accountIds).filter(({ onServer }) => onServer || !('matching' in input))
    }
    const lastOpened = accountIds.find((id) => id === this.#opened.get(caller))
    const [accountId = lastOpened ?? accountIds[0] ?? ''] = owners
    const isOne = owners.length < 2 && accountIds.includes(accountId) && (named.length > 0 || !isAllInboxes)
    if (across === 'owner' && isOne) return [open[0] ?? { accountId, inboxId: null }]
    if (threads.length > 0) throw createProblem('not_found', THREAD_NOT_FOUND)
    if ('draftId' in input) throw createProblem('not_found', DRAFT_NOT_FOUND)
    throw createProblem('invalid_input', ONE_ACCOUNT_NEEDED)
  }

  /** Calls an account with its own IDs. The response's IDs include the account. */
  async #callPlace(
    at: Place,
    name: CommandName,
    local: Fields,
    caller: string,
  ): Promise<Result<Partial<ChangeReceipt>>> {
    if (name === 'thread.open') this.#opened.set(caller, at.accountId)
    const result = (await this.#accounts.get(at.accountId)?.call(name, local, caller)) ?? ACCOUNT_CLOSED
    if (!result.ok) return result
    if (name === 'sync.status') this.#statuses.set(at.accountId, result.data as SyncStatus)
    return ok(
      toUnifiedData(result.data, at, this.#labels(at), OBJECT_COMMANDS.includes(name)) as Partial<ChangeReceipt>,
    )
  }

  /**
   * Calls the accounts of a change's parts, newest first and one by one: a new label can be removed only once no thread
   * carries it. @throws ProblemError the first problem if all fail
   */
  async #callParts(
    name: 'change.undo' | 'change.cancel',
    changeId: string,
    caller: string,
  ): Promise<readonly Fields[]> {
    const results: Result<Partial<ChangeReceipt>>[] = []
    for (const { accountId, id } of splitIds(changeId).toReversed()) {
      results.push(await this.#callPlace({ accountId, inboxId: null }, name, { changeId: id }, caller))
    }
    const done = results.flatMap((result) => (result.ok ? [result.data] : []))
    return done.length === 0 ? results.map(unwrap) : done
  }

  async #undo(changeId: string, caller: string): Promise<CommandOutput<'change.undo'>> {
    const label = parseLabelCreationId(changeId)
    if (label !== null) return { undone: true, changeId: this.#toggleNewLabel(label) }
    const done = await this.#callParts('change.undo', changeId, caller)
    const inverse = done.flatMap((each) => (typeof each.changeId === 'string' ? [each.changeId] : []))
    return inverse.length === 0 ? { undone: false } : { undone: true, changeId: this.#joinChanges(inverse) }
  }

  #joinChanges(changeIds: readonly string[]): string {
    const whole = changeIds.join(' ')
    for (const part of whole.split(' ')) this.#wholeChangeIds.set(part, whole)
    return whole
  }

  #joinProgress(all: readonly ChangeProgress[]): unknown {
    const wholeOf = (id: string): string => this.#wholeChangeIds.get(id) ?? id
    const running = all.map(({ changeId, undoes, ...progress }) => ({
      ...progress,
      changeId: wholeOf(changeId),
      undoes: undoes === null ? null : wholeOf(undoes),
    }))
    return mergeData([running])
  }

  #list(call: Call): ThreadPage {
    const { query: whole, order, offset, limit, localOnly } = parse('thread.list', call.input)
    const places = this.#targets(call)
    const asked = places.flatMap((at) => {
      // The query is valid, so its translation is.
      const local = toLocalInput(call.input, at, () => this.#labels(at)) as Pick<
        ParsedInput<'thread.list'>,
        'query' | 'held'
      > | null
      return local === null ? [] : [{ at, local }]
    })
    const read = (accountIds: readonly string[]): ThreadPage =>
      readInOrder({ query: whole, order, now: systemClock.now() }, { offset, limit }, (window, part) => {
        const lists = asked
          .filter(({ at }) => accountIds.includes(at.accountId))
          .flatMap(({ at, local: { query, held } }): readonly PlacedList[] =>
            this.#read(at.accountId, [], (account) => [
              { ...at, list: account.list(query, { localOnly, held, part }) },
            ]),
          )
        return readUnifiedList(lists, window, (row, { accountId }) => toUnifiedThread(accountId, row))
      })
    // Without inboxes nothing is known. If no inbox has the label, the list is empty.
    if (places.length > 0 && asked.length === 0) return { ...read([]), freshness: { state: 'live', at: null } }
    try {
      return read(call.accountIds)
    } catch {
      // The lists of the accounts that can be read are still shown.
      return read(call.accountIds.filter((id) => this.#read(id, false, () => (read([id]), true))))
    }
  }

  /** Labels of all inboxes in their order, combined by name. */
  #allLabels(accountIds: readonly string[]): readonly Label[] {
    const labels = this.#joined(accountIds).map((at) => toUnifiedData(this.#labels(at), at, []))
    return mergeData([...labels, [...this.#newLabels.values()]]) as readonly Label[]
  }

  /** Creates a label that goes to an inbox with its first thread there. */
  #createLabel({ accountIds, input }: Call): CommandOutput<'label.create'> {
    const { name: typed, color } = parse('label.create', input)
    const fault = findLabelNameProblem(typed, this.#allLabels(accountIds))
    if (fault !== null) throw createProblem('invalid_input', fault)
    const name = typed.trim()
    return { changeId: this.#toggleNewLabel({ name, color }), labelId: toUnifiedLabelId(name) }
  }

  /** Creates a label, or deletes it if no inbox has it yet. @returns the change's ID; undoing it is the same change */
  #toggleNewLabel({ name, color }: Omit<Label, 'id'>): string {
    if (!this.#newLabels.delete(name)) this.#newLabels.set(name, { id: toUnifiedLabelId(name), name, color })
    this.#emit({ name: 'labels.changed', payload: { inboxId: ALL_INBOXES, replaced: [] } })
    return toLabelCreationId(name, color)
  }

  #hasLabel(at: Place, id: string): boolean {
    return this.#labels(at).some(({ name }) => toUnifiedLabelId(name) === id)
  }

  /** Creates the labels that a change adds, in the inboxes that lack them. @returns IDs of these changes */
  #createMissingLabels(call: Call): Promise<readonly string[]> {
    const { addLabels, setLabels } = (call.input.change ?? {}) as ParsedInput<'thread.change'>['change']
    const labelIds = setLabels ?? addLabels ?? []
    const places = labelIds.length === 0 ? [] : this.#targets(call)
    const creation = this.#labelCreation.then(async () => {
      const made: string[] = []
      for (const at of places) {
        for (const id of labelIds.filter((each) => !this.#hasLabel(at, each))) {
          const label = this.#allLabels(call.accountIds).find((each) => each.id === id)
          if (label === undefined) throw createProblem('not_found', LABEL_NOT_FOUND)
          const color = /^#[\da-f]{6}$/i.test(label.color) ? label.color : '#64748B'
          const input = { inboxId: at.inboxId, name: label.name, color }
          made.push(unwrap(await this.#callPlace(at, 'label.create', input, call.caller)).changeId ?? '')
        }
      }
      return made
    })
    this.#labelCreation = creation.catch(() => undefined)
    return creation
  }

  /** Inboxes of the open accounts, in their order. */
  #joined(accountIds: readonly string[]): readonly JoinedInbox[] {
    return accountIds.flatMap((accountId) =>
      this.#read(accountId, [], (account) =>
        account.inboxes().map(({ id, onServer }) => ({ accountId, inboxId: id, onServer })),
      ),
    )
  }

  #labels({ accountId, inboxId }: Place): readonly Label[] {
    if (inboxId === null) return []
    const labels = this.#read(accountId, [], (account) => account.labels(inboxId))
    for (const { id, name } of labels) {
      const key = joinIds([{ accountId, id }])
      const names = this.#labelNames.get(key) ?? []
      if (names.at(-1) !== name) this.#labelNames.set(key, [...names, name])
    }
    return labels
  }

  /** Finds renamed labels. If another inbox still uses the old name, that label remains. */
  #renamedLabels(at: Place): readonly ReplacedLabel[] {
    const before = new Map(this.#labelNames)
    const renamed = this.#labels(at).flatMap(({ id, name }) => {
      const was = before.get(joinIds([{ accountId: at.accountId, id }]))?.at(-1)
      return was === undefined || was === name ? [] : [{ was: toUnifiedLabelId(was), id: toUnifiedLabelId(name) }]
    })
    const left = renamed.length === 0 ? [] : this.#allLabels([...this.#accounts.keys()])
    return renamed.filter(({ was }) => left.every(({ id }) => id !== was))
  }

  #read<Value>(accountId: string, fallback: Value, read: (account: JoinedAccount) => Value): Value {
    const account = this.#accounts.get(accountId)
    try {
      return account === undefined ? fallback : read(account)
    } catch (thrown) {
      this.#toProblem(thrown)
      return fallback
    }
  }

  #toProblem(thrown: unknown): Problem {
    const problem = toProblem(toStorageError(thrown))
    if (problem.code === 'internal') this.#report(thrown)
    return problem
  }
}
