import { SvelteMap } from 'svelte/reactivity'
import type { Inbox, Label } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'

export interface SenderInbox {
  /** Inbox ID, which includes the account in All inboxes. */
  readonly id: string
  readonly name: string | null
  readonly address: string
  /** Null if a single account is displayed. */
  readonly accountId: string | null
}

export class MailboxesManager {
  readonly #backend: Backend
  readonly #sendersInAllInboxes: () => readonly SenderInbox[]
  inboxes = $state.raw<readonly Inbox[]>([])
  /** `loading` until the platform has listed the inboxes once. */
  phase = $state<'loading' | 'ready' | 'failed'>('loading')
  problem = $state.raw<Problem | null>(null)
  readonly #labels = new SvelteMap<string, readonly Label[]>()
  /** Platform IDs of labels, by their former local ID. */
  readonly #newLabelIds = new SvelteMap<string, string>()

  /** @param sendersAcross inboxes combined in All inboxes, which has no address itself */
  constructor(backend: Backend, sendersAcross: () => readonly SenderInbox[] = () => []) {
    this.#backend = backend
    this.#sendersInAllInboxes = sendersAcross
    backend.on('inboxes.changed', () => void this.load())
    backend.on('labels.changed', ({ inboxId, replaced }) => {
      for (const { was, id } of replaced) this.#renameLabel(inboxId, was, id)
      void this.loadLabels(inboxId)
    })
  }

  get addresses(): readonly string[] {
    return this.senders.map(({ address }) => address)
  }

  get senders(): readonly SenderInbox[] {
    const own = this.inboxes.flatMap(({ id, name, emailAddress: address }): readonly SenderInbox[] =>
      address === '' ? [] : [{ id, name, address, accountId: null }],
    )
    return [...own, ...this.#sendersInAllInboxes()]
  }

  sender(id: string): SenderInbox | undefined {
    return this.senders.find((sender) => sender.id === id)
  }

  inbox(id: string): Inbox | undefined {
    return this.inboxes.find((inbox) => inbox.id === id)
  }

  knowsLabels(inboxId: string): boolean {
    return this.#labels.has(inboxId)
  }

  labels(inboxId: string): readonly Label[] {
    return this.#labels.get(inboxId) ?? []
  }

  /** @param labelId current or former ID */
  label(inboxId: string, labelId: string): Label | undefined {
    const id = this.labelIdNow(labelId)
    return this.labels(inboxId).find((label) => label.id === id)
  }

  /** Current ID for a former one: labels created here get another ID from the platform. */
  labelIdNow(labelId: string): string {
    const next = this.#newLabelIds.get(labelId)
    return next === undefined ? labelId : this.labelIdNow(next)
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('inbox.list', {})
    if (result.ok) {
      this.inboxes = result.data.inboxes
      this.problem = null
      // Before the first response, an empty list means nothing.
      if (this.inboxes.length > 0 || result.data.freshness.state !== 'never') this.phase = 'ready'
    } else {
      this.problem = result.error
      if (this.inboxes.length === 0) this.phase = 'failed'
    }
  }

  async loadLabels(inboxId: string): Promise<void> {
    const result = await this.#backend.call('label.list', { inboxId })
    // An inbox works without labels. Its lists report the problem.
    if (result.ok) this.#labels.set(inboxId, result.data)
  }

  noteLabelId(was: string, id: string): void {
    if (was === id) return
    // A label that returns under a former ID must not be redirected. So there are no cycles.
    this.#newLabelIds.delete(id)
    this.#newLabelIds.set(was, id)
  }

  /** Renames a label at once, so that nothing mistakes it for another one before labels are reloaded. */
  #renameLabel(inboxId: string, was: string, id: string): void {
    this.noteLabelId(was, id)
    const renamed = this.labels(inboxId).map((label) => (label.id === was ? { ...label, id } : label))
    this.#labels.set(
      inboxId,
      renamed.filter((label, index) => renamed.findIndex((each) => each.id === label.id) === index),
    )
  }
}
