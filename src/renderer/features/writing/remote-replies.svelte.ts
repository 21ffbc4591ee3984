import type { RemoteReplies } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'

export const NO_REMOTE_REPLIES: RemoteReplies = { answers: [], drafts: [] }

/** Replies by others in the thread of a reply being written. */
export class RemoteActivity {
  readonly #backend: Pick<Backend, 'call'>
  readonly #editing: Pick<DraftEditor, 'draftId' | 'kind' | 'target'>
  #found: RemoteReplies = $state.raw(NO_REMOTE_REPLIES)

  constructor(backend: Pick<Backend, 'call'>, editing: Pick<DraftEditor, 'draftId' | 'kind' | 'target'>) {
    this.#backend = backend
    this.#editing = editing
  }

  get found(): RemoteReplies {
    return this.#found
  }

  /** Loads known replies. @param isSeen true if the user has looked at them, so they are no objection to sending */
  async look(isSeen = false): Promise<void> {
    const { draftId, kind, target } = this.#editing
    if (target === null || (kind !== 'reply' && kind !== 'replyAll')) return
    const found = await this.#backend.call('draft.remoteReplies', { draftId, cacheOnly: true, isSeen })
    if (found.ok && JSON.stringify(found.data) !== JSON.stringify(this.#found)) this.#found = found.data
  }
}
