import type { CommandInput } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Draft, Elsewhere, SendRefusal } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import type { ComposerForm } from './composer-form.svelte.ts'
import { DraftEditor, type MovedDraft, type Writer } from './draft-editor.svelte.ts'

/** Milliseconds without an edit before saving. */
const SAVE_DELAY_MS = 400
/** Milliseconds between retries after the disk failed. */
const RETRY_DELAY_MS = 5_000

export const NOTHING_ELSEWHERE: Elsewhere = { theirs: null, answers: [], drafts: [] }

/** An open composer: one draft, saved as the user types. */
export class OpenComposer {
  readonly editing: DraftEditor
  readonly #backend: Pick<Backend, 'call'>
  readonly #isOurs: boolean
  revision: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<boolean> | null = null
  #isEnded = false
  /** Reason why the draft isn't saved, or null. */
  problem: Problem | null = $state.raw(null)
  /** Known changes that others have made to this draft and its thread. */
  elsewhere: Elsewhere = $state.raw(NOTHING_ELSEWHERE)
  /** Reads these changes again, once for several events. */
  readonly noteChange = coalesceCalls(() => void this.lookElsewhere())

  /** The form on the screen, or null. */
  form: ComposerForm | null = $state.raw(null)
  /** True if opened away from the answered e-mail. It then gets a pane of its own unless that thread is open. */
  isApart = $state(false)
  /** True if the composer appears only as a tab; its text is kept. */
  isMinimised = $state(false)
  /** True if the composer covers most of the window. */
  isLarge = $state(false)
  /** Restored with the window rather than opened by the user, so it doesn't take focus. */
  isReopened = false
  /** Pending copy of the draft to another account, or null. */
  moving: Promise<void> | null = $state.raw(null)
  /** True once the engine is asked to send: nothing is saved any more. */
  #isHandedOver = false

  constructor(backend: Pick<Backend, 'call'>, draft: Draft, writer: Writer) {
    const { revision, theirs, isOurs } = draft
    this.#backend = backend
    this.#isOurs = isOurs
    this.revision = revision
    this.elsewhere = { ...NOTHING_ELSEWHERE, theirs }
    this.editing = new DraftEditor(backend, draft, writer)
  }

  get draftId(): string {
    return this.editing.draftId
  }

  /** True if the draft contains nothing worth keeping; never true for a colleague's draft. */
  get isBlank(): boolean {
    return this.#isOurs && this.elsewhere.theirs === null && this.editing.isBlank
  }

  /** Reads the changes of others again. @param isSeen true if the user has looked at the replies */
  async lookElsewhere(isSeen = false): Promise<void> {
    const { draftId } = this
    const found = await this.#backend.call('draft.elsewhere', { draftId, cacheOnly: true, isSeen })
    if (!found.ok || draftId !== this.draftId) return
    if (JSON.stringify(found.data) !== JSON.stringify(this.elsewhere)) this.elsewhere = found.data
  }

  /** Schedules a save after the next pause. */
  changed(): void {
    clearTimeout(this.#timer)
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.keep(), SAVE_DELAY_MS)
  }

  /** Saves everything written so far. @returns true once it is on the disk */
  async keep(): Promise<boolean> {
    clearTimeout(this.#timer)
    if (this.#isHandedOver) return true
    // Serialise saves: each names the revision created by the previous one.
    while (this.#saving !== null) await this.#saving
    if (!this.editing.isDirty) return this.problem === null
    this.#saving = this.#save()
    try {
      return await this.#saving
    } finally {
      this.#saving = null
    }
  }

  /** True while the message is handed over for sending and not on the screen. */
  isLetGo = false

  /** A save or a move to another account that must end before the message is handed over; null if there is none. */
  get pending(): Promise<unknown> | null {
    return this.moving ?? this.#saving
  }

  /** The message as it is, for the engine to save and send. From now on nothing is saved here. */
  handOver(): Pick<CommandInput<'draft.send'>, 'draftId' | 'revision' | 'content' | 'inboxId'> {
    clearTimeout(this.#timer)
    this.#isHandedOver = true
    const { draftId, inboxId, content, isDirty } = this.editing
    return { draftId, revision: this.revision, ...(isDirty && { content, inboxId }) }
  }

  /** Continues after the engine refused to send the message. */
  resume(reason: SendRefusal | null): void {
    this.#isHandedOver = false
    this.editing.refusal = reason
  }

  /** Sets when the thread returns if no one replies; null for never. */
  async remind(at: number | null): Promise<void> {
    const before = this.editing.remindAt
    this.editing.remindAt = at
    this.editing.refusal = null
    const kept = await this.#backend.call('draft.remind', { draftId: this.draftId, remindAt: at })
    if (kept.ok) return
    this.editing.remindAt = before
    this.problem = kept.error
  }

  /** Continues as the draft's copy in another account, where the content isn't saved yet. */
  moveTo(moved: MovedDraft, revision: number): void {
    this.revision = revision
    this.elsewhere = NOTHING_ELSEWHERE
    this.problem = null
    this.editing.moveTo(moved)
  }

  /** Replaces the content with a newer version, or the one chosen in a conflict. */
  take({ content, revision, theirs }: Draft): void {
    this.revision = revision
    this.elsewhere = { ...this.elsewhere, theirs }
    this.problem = null
    this.editing.replace(content)
    this.editing.markSaved(this.editing.version)
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.editing.end()
  }

  async #save(): Promise<boolean> {
    const { version, content, draftId, inboxId } = this.editing
    const kept = await this.#backend.call('draft.save', { draftId, revision: this.revision, content, inboxId })
    if (kept.ok) {
      this.revision = kept.data.revision
      this.problem = null
      this.editing.markSaved(version)
      return true
    }
    this.problem = kept.error
    // A conflict with another window needs the user; a full disk may free up, so retry.
    if (kept.error.code !== 'conflict' && !this.#isEnded)
      this.#timer = setTimeout(() => void this.keep(), RETRY_DELAY_MS)
    return false
  }
}
