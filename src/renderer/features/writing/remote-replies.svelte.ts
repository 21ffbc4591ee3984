import type { RemoteReplies } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'

export const NO_REMOTE_REPLIES: RemoteReplies = { answers: [], drafts: [] }

/** Options of the send that was interrupted by a question. */
export interface PendingSend {
  readonly archive: boolean
  /** Milliseconds since the epoch; null to send now. */
  readonly scheduledAt: number | null
}

/** Replies by others in the thread of a reply being written, and which of them the user has seen. */
export class RemoteActivity {
  readonly #backend: Pick<Backend, 'call'>
  readonly #editing: Pick<DraftEditor, 'draftId' | 'kind' | 'target'>
  #found: RemoteReplies = $state.raw(NO_REMOTE_REPLIES)
  /** IDs of the replies that the user has looked at or has decided to ignore. */
  #acceptedIds: readonly string[] = $state.raw([])
  /** True once the user has accepted someone else's draft. It counts once, however often it changes. */
  #hasAcceptedDrafts = $state(false)
  pendingSend: PendingSend | null = $state.raw(null)

  constructor(backend: Pick<Backend, 'call'>, editing: Pick<DraftEditor, 'draftId' | 'kind' | 'target'>) {
    this.#backend = backend
    this.#editing = editing
  }

  get found(): RemoteReplies {
    return this.#found
  }

  /** Replies and drafts that the user has not yet accepted; reactive. */
  get unseen(): RemoteReplies {
    const { answers, drafts } = this.#found
    return {
      answers: answers.filter(({ emailId }) => !this.#acceptedIds.includes(emailId)),
      drafts: this.#hasAcceptedDrafts ? [] : drafts,
    }
  }

  get hasUnseen(): boolean {
    const { answers, drafts } = this.unseen
    return answers.length + drafts.length > 0
  }

  agree(): void {
    const { answers, drafts } = this.#found
    this.#acceptedIds = [...this.#acceptedIds, ...answers.map(({ emailId }) => emailId)]
    this.#hasAcceptedDrafts ||= drafts.length > 0
    this.pendingSend = null
  }

  /** True if the user must confirm before sending. Checks again only if nothing new is known. */
  async needsConfirmation(): Promise<boolean> {
    if (!this.hasUnseen) await this.look(false)
    return this.hasUnseen
  }

  /** Loads known replies; asks the platform first unless `cacheOnly`. */
  async look(cacheOnly: boolean): Promise<void> {
    const { draftId, kind, target } = this.#editing
    if (target === null || (kind !== 'reply' && kind !== 'replyAll')) return
    const found = await this.#backend.call('draft.remoteReplies', { draftId, cacheOnly })
    // A failed check must not block sending.
    if (found.ok && JSON.stringify(found.data) !== JSON.stringify(this.#found)) this.#found = found.data
  }
}
