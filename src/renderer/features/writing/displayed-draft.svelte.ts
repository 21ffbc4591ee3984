import type { Email } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Draft } from '../../../shared/drafts.ts'
import type { WritingParts } from './open-composers.svelte.ts'
import type { SendCheck } from './send-check.ts'
import type { WritingManager } from './writing-manager.svelte.ts'

/**
 * Milliseconds that the cursor must rest on a row before its draft is fetched, so that moving past rows fetches
 * nothing.
 */
const DWELL_MS = 150

export interface ReadDraft {
  readonly draft: Draft
  /** Null if the e-mail being answered is not stored locally. */
  readonly answered: Email | null
  /** True if the conversation has continued since that e-mail. */
  readonly isBehind: boolean
}

/** The message in the reading pane beside its list. A reply drafted by others can be approved there. */
export class DisplayedDraft {
  readonly #parts: WritingParts
  readonly #writing: Pick<WritingManager, 'composers' | 'sending'>
  #read: ReadDraft | null = $state.raw(null)
  problem: Problem | null = $state.raw(null)
  #isApproving = $state(false)
  #wanted: string | null = $state(null)
  #dwellTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: WritingParts, writing: Pick<WritingManager, 'composers' | 'sending'>) {
    this.#parts = parts
    this.#writing = writing
  }

  /** Null until the message is read. */
  get read(): ReadDraft | null {
    return this.#read?.draft.id === this.#wanted ? this.#read : null
  }

  /** False until the draft is displayed, so the user can't send it unseen. */
  get canApprove(): boolean {
    return this.read !== null && !this.#isApproving
  }

  /** Reads a message once the cursor has rested on it. @param draftId null for none */
  show(draftId: string | null): void {
    clearTimeout(this.#dwellTimer)
    this.#wanted = draftId
    if (this.#read?.draft.id !== draftId) this.problem = null
    if (draftId === null) this.#read = null
    else this.#dwellTimer = setTimeout(() => void this.#fetch(draftId), this.#read === null ? 0 : DWELL_MS)
  }

  /** Sends the displayed draft unchanged, with the usual undo. If it needs attention, opens it with the reason. */
  async approve(): Promise<void> {
    const shown = this.read
    if (shown === null || !this.canApprove) return
    this.#isApproving = true
    await this.#approve(shown).finally(() => (this.#isApproving = false))
  }

  async #approve(shown: ReadDraft): Promise<void> {
    const { toasts } = this.#parts
    const { composers, sending } = this.#writing
    const opened = await this.#open(shown.draft.id)
    if (!opened.ok) return void toasts.problem(opened.error)
    const now = opened.data
    if (JSON.stringify(now.draft.content) !== JSON.stringify(shown.draft.content)) {
      this.#read = now
      toasts.show('This draft has changed. Read it again, then send it.')
      return
    }
    const composing = composers.add(now.draft)
    // After an undo, the draft opens in a pane over the list.
    composing.isApart = true
    composing.isMinimised = true
    const why = await this.#findObstacle(now, composing.editing.check())
    if (why === null) return void (await sending.send(composing, { archive: false, scheduledAt: null }))
    composing.isMinimised = false
    toasts.show(`Not sent yet. ${why}`)
  }

  /** The problem that the user has to fix or confirm before sending, or null. */
  async #findObstacle({ draft, isBehind }: ReadDraft, { blocked, questions }: SendCheck): Promise<string | null> {
    const fault = blocked[0]?.message ?? questions[0]
    if (fault !== undefined) return fault
    if (isBehind) return 'There are newer messages than the one this draft replies to.'
    const { to, cc, bcc } = draft.content
    const addresses = [...to, ...cc, ...bcc].map(({ address }) => address)
    const known = await this.#parts.backend.call('suppression.ofAddresses', { inboxId: draft.inboxId, addresses })
    const isSuppressed = known.ok && known.data.some(({ suppression }) => suppression !== null)
    return isSuppressed ? 'One of the recipients is on the platform’s suppression list.' : null
  }

  async #fetch(draftId: string): Promise<void> {
    const read = await this.#open(draftId)
    if (this.#wanted !== draftId) return
    this.problem = read.ok ? null : read.error
    if (read.ok) this.#read = read.data
  }

  async #open(draftId: string): Promise<Result<ReadDraft>> {
    const { backend } = this.#parts
    const opened = await backend.call('draft.open', { draftId })
    if (!opened.ok) return opened
    const draft = opened.data
    if (draft.target === null) return { ok: true, data: { draft, answered: null, isBehind: false } }
    const { threadId, emailId } = draft.target
    const conversation = await backend.call('thread.open', { inboxId: draft.inboxId, threadId })
    const emails = conversation.ok ? conversation.data.emails : []
    const answered = emails.find(({ id }) => id === emailId) ?? null
    return { ok: true, data: { draft, answered, isBehind: emails.length > 0 && emails.at(-1)?.id !== emailId } }
  }
}
