import { untrack } from 'svelte'
import { OPEN_DRAFTS, type OpenDraft } from '../../../shared/preferences.ts'
import type { Draft } from '../../../shared/writing.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import { soon } from '../../ui/soon.ts'
import { Composing } from './composing.svelte.ts'
import { isWritten } from './draft-words.ts'
import { cleanSnippet, fillSnippet, senderValues } from './fill-snippet.ts'
import { senderOf } from './insert-canned-reply.ts'
import type { KeptOpenDrafts } from './kept-open-drafts.ts'
import type { SnippetsManager } from './snippets-manager.svelte.ts'

/** How a composer was on the screen. */
export type Place = Pick<Composing, 'isApart'> & { readonly caret: number | null }

interface ComposerParts {
  readonly backend: Backend
  readonly mailboxes: MailboxesManager
  readonly snippets: SnippetsManager
  readonly keptOpen: Pick<KeptOpenDrafts, 'read' | 'write' | 'claim'>
  readonly ending: AbortSignal
}

export class OpenComposers {
  readonly #parts: ComposerParts
  #all: readonly Composing[] = $state.raw([])
  /** Where the caret was in drafts that were closed. */
  // Nothing is drawn from it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #carets = new Map<string, number>()

  /** Composers of replies beside which something may have been answered. */
  // Nothing is drawn from it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #changed = new Set<Composing>()
  readonly #readChanged = soon(() => {
    for (const composing of this.#changed) void composing.elsewhere.look(true)
    this.#changed.clear()
  })

  #isReopening = false
  /** What was open is open again, or another window has it: from here on it is kept what is. */
  #keepsOpen = $state(false)

  constructor(parts: ComposerParts) {
    this.#parts = parts
    const { backend } = parts
    backend.on('emails.changed', ({ threadIds }) => {
      this.#noteChanges(({ editing: { target } }) => target !== null && threadIds.includes(target.threadId))
    })
    backend.on('drafts.changed', ({ inboxIds }) => {
      this.#noteChanges(({ editing: { target, inboxId } }) => target !== null && inboxIds.includes(inboxId))
    })
    parts.ending.addEventListener('abort', () => {
      for (const composing of this.#all) {
        void composing.keep()
        composing.end()
      }
    })
  }

  /** Oldest first. */
  get all(): readonly Composing[] {
    return this.#all
  }

  /** The composer in which the person writes, or wrote last; null where none is on the screen. */
  get active(): Composing | null {
    const shown = this.#all.filter(({ isMinimised }) => !isMinimised)
    return shown.toSorted((a, b) => a.editing.focusedAt - b.editing.focusedAt).at(-1) ?? null
  }

  /** The composer in which an e-mail of a thread is answered, where it stands below it. */
  inThread(threadId: string): Composing | null {
    return (
      this.#all.findLast(
        ({ editing, isMinimised, isLarge }) => !isMinimised && !isLarge && editing.target?.threadId === threadId,
      ) ?? null
    )
  }

  find(draftId: string): Composing | null {
    return this.#all.find((each) => each.draftId === draftId) ?? null
  }

  add(draft: Draft): Composing {
    const composing = new Composing(
      this.#parts.backend,
      draft,
      this.#parts.mailboxes.addresses,
      // The editor gives words back as they are sent: so they are compared.
      (inboxId) =>
        cleanSnippet(
          fillSnippet(
            this.#parts.snippets.signatureOf(inboxId),
            senderValues(senderOf(this.#parts.mailboxes, inboxId)),
          ),
        ),
    )
    const caret = this.#carets.get(draft.id)
    if (caret !== undefined) composing.editing.rememberCaret(caret)
    // Nobody has written in it yet.
    if (draft.isOurs && draft.revision === 0) composing.editing.sign()
    this.#all = [...this.#all.filter(({ draftId }) => draftId !== draft.id), composing]
    void composing.elsewhere.look(true)
    return composing
  }

  remove(composing: Composing): void {
    const { draftId, editing } = composing
    if (editing.caret !== null) this.#carets.set(draftId, editing.caret)
    this.#all = this.#all.filter((each) => each !== composing)
    composing.end()
  }

  /** The same for one that was put away, which the person may have on the screen again by now. */
  removeUnlessShown(composing: Composing): void {
    if (composing.isMinimised) this.remove(composing)
  }

  placeOf({ isApart, editing }: Composing): Place {
    return { isApart, caret: editing.caret }
  }

  put(composing: Composing, { isApart, caret }: Place): void {
    composing.isApart = isApart
    if (caret !== null) composing.editing.placeCaret(caret)
  }

  /** Keeps which composers are open, and how. Whoever draws them calls it again whenever that has changed; reactive. */
  keepOpen(): void {
    if (!this.#keepsOpen || this.#parts.ending.aborted) return
    const open = this.all.slice(-OPEN_DRAFTS).map(({ draftId, isApart, isMinimised }): OpenDraft => {
      return { draftId, isApart, isMinimised }
    })
    untrack(() => {
      if (JSON.stringify(open) !== JSON.stringify(this.#parts.keptOpen.read())) this.#parts.keptOpen.write(open)
    })
  }

  /** What was open when the window was closed is open again, as it was. */
  async reopen(): Promise<void> {
    if (this.#isReopening) return
    this.#isReopening = true
    if (await this.#parts.keptOpen.claim(this.#parts.ending)) {
      for (const kept of this.#parts.keptOpen.read()) await this.#openAgain(kept)
    }
    this.#keepsOpen = true
  }

  #noteChanges(isConcerned: (composing: Composing) => boolean): void {
    for (const composing of this.#all) if (isConcerned(composing)) this.#changed.add(composing)
    this.#readChanged()
  }

  async #openAgain({ draftId, isApart, isMinimised }: OpenDraft): Promise<void> {
    const opened = await this.#parts.backend.call('draft.open', { draftId })
    // It may have been sent or thrown away elsewhere meanwhile; or the person was faster.
    if (this.#parts.ending.aborted || !opened.ok || !isWritten(opened.data) || this.find(draftId) !== null) return
    const composing = this.add(opened.data)
    composing.isApart = isApart
    composing.isMinimised = isMinimised
    composing.isReopened = !isMinimised
  }
}
