import type { Problem } from '../../../shared/result.ts'
import type { Draft, DraftContent, SendRefusal } from '../../../shared/writing.ts'
import type { Backend } from '../../kernel/backend.ts'
import { DraftEditing, type MovedDraft } from './draft-editing.svelte.ts'
import { Elsewhere } from './elsewhere.svelte.ts'

/** Milliseconds without a change after which what is written is kept. */
const PAUSE_MS = 400
/** Milliseconds between two tries to keep what the disk did not take. */
const AGAIN_MS = 5_000

/** A composer that is open: one draft, kept on the disk as it is written. */
export class Composing {
  readonly editing: DraftEditing
  /** What others answer meanwhile. */
  readonly elsewhere: Elsewhere
  readonly #backend: Pick<Backend, 'call'>
  readonly #isOurs: boolean
  #revision: number
  #timer: ReturnType<typeof setTimeout> | null = null
  #saving: Promise<boolean> | null = null
  #isEnded = false
  #problem: Problem | null = $state.raw(null)
  #theirs: DraftContent | null = $state.raw(null)

  /** It was opened elsewhere than below the e-mail that it answers: where that is not shown, it has a pane of its own. */
  isApart = $state(false)
  /** As a tab alone; what is written in it stays. */
  isMinimised = $state(false)
  /** It has most of the window, wherever it was before. */
  isLarge = $state(false)
  /** It is open as it was when the window was closed: nobody has asked for it, so it does not take the focus. */
  isReopened = false
  /** It is handed over: nothing is sent twice. */
  isSending = $state(false)
  /** It is being copied to another account. */
  isMoving = $state(false)

  /** @param own addresses of the person's own inboxes */
  constructor(
    backend: Pick<Backend, 'call'>,
    draft: Draft,
    own: readonly string[],
    signatureOf: (inboxId: string) => string = () => '',
  ) {
    const { id, inboxId, kind, target, content, original, state, revision, theirs, isOurs, remindAt } = draft
    this.#backend = backend
    this.#isOurs = isOurs
    this.#revision = revision
    this.#theirs = theirs
    const refusal = state.kind === 'refused' ? state.reason : null
    this.editing = new DraftEditing(backend, {
      ...{ draftId: id, inboxId, kind, target, content, original, refusal, own, signatureOf },
      isBegun: revision === 0,
    })
    this.editing.remindAt = remindAt
    this.elsewhere = new Elsewhere(backend, this.editing)
  }

  get draftId(): string {
    return this.editing.draftId
  }

  get revision(): number {
    return this.#revision
  }

  /** Why what is written is not kept; null where it is. */
  get problem(): Problem | null {
    return this.#problem
  }

  /** Whether nothing is written in it that is to be kept; of a colleague's draft everything is. */
  get isBlank(): boolean {
    return this.#isOurs && this.#theirs === null && this.editing.isBlank
  }

  /** What was written elsewhere meanwhile; null where nothing was. */
  get theirs(): DraftContent | null {
    return this.#theirs
  }

  /** The person has changed something: it is kept at the next pause. */
  changed(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (!this.#isEnded) this.#timer = setTimeout(() => void this.keep(), PAUSE_MS)
  }

  /** Keeps all that is written until now. @returns whether it is on the disk */
  async keep(): Promise<boolean> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    // One after the other: each names the revision that the one before it made.
    while (this.#saving !== null) await this.#saving
    if (!this.editing.isDirty) return this.#problem === null
    this.#saving = this.#save()
    try {
      return await this.#saving
    } finally {
      this.#saving = null
    }
  }

  /** Has the thread come back at a time unless somebody answers what is sent; null for never. */
  async remind(at: number | null): Promise<void> {
    const before = this.editing.remindAt
    this.editing.remindAt = at
    this.editing.refusal = null
    const kept = await this.#backend.call('draft.remind', { draftId: this.draftId, remindAt: at })
    if (kept.ok) return
    this.editing.remindAt = before
    this.#problem = kept.error
  }

  /** Goes on as another draft, of which nothing is kept yet but its place. */
  moveTo(moved: MovedDraft, revision: number): void {
    this.#revision = revision
    this.#theirs = null
    this.#problem = null
    this.editing.moveTo(moved)
  }

  /** Takes what was decided or is known elsewhere in the place of what is shown. */
  take({ content, revision, theirs }: Draft): void {
    this.#revision = revision
    this.#theirs = theirs
    this.#problem = null
    this.editing.replace(content)
    this.editing.markSaved(this.editing.version)
  }

  /** Shows what was changed elsewhere beside what is written here, which stays as it is. */
  noteTheirs({ theirs }: Draft): void {
    this.#theirs = theirs
  }

  refuse(reason: SendRefusal): void {
    this.editing.refusal = reason
  }

  /** Lets go of the composer; what was kept stays. */
  end(): void {
    this.#isEnded = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.editing.end()
  }

  async #save(): Promise<boolean> {
    const { version, content, draftId, inboxId } = this.editing
    const kept = await this.#backend.call('draft.save', { draftId, revision: this.#revision, content, inboxId })
    if (kept.ok) {
      this.#revision = kept.data.revision
      this.#problem = null
      this.editing.markSaved(version)
      return true
    }
    this.#problem = kept.error
    // What another window has made of it is for the person to look at; a full disk may have room again.
    if (kept.error.code !== 'conflict' && !this.#isEnded) this.#timer = setTimeout(() => void this.keep(), AGAIN_MS)
    return false
  }
}
