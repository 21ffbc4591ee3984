import { untrack } from 'svelte'
import { MAX_REOPENED_DRAFTS, type OpenDraft } from '../../../shared/preferences.ts'
import type { Draft } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Route } from '../../kernel/route.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { OpenComposer } from './open-composer.svelte.ts'
import { isEditableDraft } from './describe-draft.ts'
import { sanitizeSnippet, fillSnippet, toSenderValues } from './fill-snippet.ts'
import { findInboxSender } from './insert-canned-reply.ts'
import type { SnippetsManager } from './snippets-manager.svelte.ts'

/** Milliseconds a reloading page may wait for its predecessor to close. */
const RELOAD_GRACE_MS = 1_000

/**
 * Waits until this window is the one that stores the account's open composers. It stays so until `ending`; only one
 * window can be at a time.
 * @param account its ID, or "all"
 * @returns true if the window should reopen the composers; false if it had to wait for another window to close
 */
const claimOpenDrafts = (account: string, ending: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = performance.now()
    const holdLock = (): Promise<void> => {
      resolve(performance.now() - asked < RELOAD_GRACE_MS)
      return new Promise((release) => {
        ending.addEventListener('abort', () => release(), { once: true })
      })
    }
    // Rejects if the user leaves the account before this window's turn.
    navigator.locks.request(`open drafts of ${account}`, { signal: ending }, holdLock).catch(() => undefined)
  })

/** The parts of the window that writing uses. */
export interface WritingParts {
  readonly backend: Backend
  readonly toasts: Readonly<ToastManager>
  readonly actions: ThreadActionsManager
  readonly mailboxes: MailboxesManager
  readonly snippets: SnippetsManager
  readonly preferences: Readonly<PreferencesManager>
  /** The account's ID, or "all". */
  readonly account: string
  readonly ending: AbortSignal
}

export class OpenComposers {
  readonly #parts: WritingParts
  /** Oldest first. */
  all: readonly OpenComposer[] = $state.raw([])
  /** Caret positions of closed drafts. */
  // Not rendered, so it doesn't have to be reactive.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #carets = new Map<string, number>()

  #isReopening = false
  /** True once reopening has finished or was left to another window; from then on, changes are saved. */
  #isSavingEnabled = $state(false)

  constructor(parts: WritingParts) {
    this.#parts = parts
    const { backend } = parts
    backend.on('emails.changed', ({ threadIds }) => {
      for (const { editing, noteChange } of this.all)
        if (editing.target !== null && threadIds.includes(editing.target.threadId)) noteChange()
    })
    backend.on('drafts.changed', ({ inboxIds }) => {
      for (const { editing, noteChange } of this.all) if (inboxIds.includes(editing.inboxId)) noteChange()
    })
    parts.ending.addEventListener('abort', () => {
      for (const composing of this.all) {
        void composing.keep()
        composing.end()
      }
    })
  }

  /** The composer in use, or used last; null if none is visible. */
  get active(): OpenComposer | null {
    const shown = this.all.filter(({ isMinimised }) => !isMinimised)
    return shown.toSorted((a, b) => a.editing.focusedAt - b.editing.focusedAt).at(-1) ?? null
  }

  /** Composer answering an e-mail of the thread inline. */
  inThread(threadId: string): OpenComposer | null {
    return (
      this.all.findLast(
        ({ editing, isMinimised, isLarge }) => !isMinimised && !isLarge && editing.target?.threadId === threadId,
      ) ?? null
    )
  }

  /** Composer beside the list that shows its draft. */
  inList(route: Route): OpenComposer | null {
    const composing = 'id' in route && route.id !== null ? this.find(route.id) : null
    return composing?.isMinimised === false && !composing.isLarge ? composing : null
  }

  find(draftId: string): OpenComposer | null {
    return this.all.find((each) => each.draftId === draftId) ?? null
  }

  add(draft: Draft): OpenComposer {
    const { backend, mailboxes, snippets } = this.#parts
    const composing = new OpenComposer(backend, draft, {
      own: mailboxes.addresses,
      signatureOf: (inboxId) => {
        const values = toSenderValues(findInboxSender(mailboxes, inboxId))
        // Cleaned like the editor's output, so the two compare equal.
        return sanitizeSnippet(fillSnippet(snippets.signatureOf(inboxId), values))
      },
    })
    const caret = this.#carets.get(draft.id)
    if (caret !== undefined) composing.editing.caretWanted = caret
    // A new, untouched message starts with the signature.
    if (draft.isOurs && draft.revision === 0) composing.editing.sign()
    this.all = [...this.all.filter(({ draftId }) => draftId !== draft.id), composing]
    void composing.lookElsewhere()
    return composing
  }

  remove(composing: OpenComposer): void {
    this.letGo(composing)
    composing.isLetGo = false
    composing.end()
  }

  /** Takes a message off the screen while it is handed over for sending. */
  letGo(composing: OpenComposer): void {
    const { draftId, editing } = composing
    if (editing.caret !== null) this.#carets.set(draftId, editing.caret)
    composing.isLetGo = true
    this.all = this.all.filter((each) => each !== composing)
  }

  /** Shows a message that was let go, without taking the focus: as a tab if the user writes another one. */
  takeBack(composing: OpenComposer): void {
    composing.isMinimised = this.active !== null
    composing.isApart = true
    composing.isReopened = true
    composing.isLetGo = false
    this.all = [...this.all.filter(({ draftId }) => draftId !== composing.draftId), composing]
  }

  /** Opens a draft again, with the caret where it was. */
  addBack(draft: Draft, isApart: boolean): void {
    const composing = this.add(draft)
    composing.isApart = isApart
    if (this.#carets.has(draft.id)) composing.editing.focusBody()
  }

  /** Saves which composers are open, and how. Reactive; the renderer calls it on every change. */
  saveOpen(): void {
    if (!this.#isSavingEnabled || this.#parts.ending.aborted) return
    const open = this.all.slice(-MAX_REOPENED_DRAFTS).map(({ draftId, isApart, isMinimised }): OpenDraft => {
      return { draftId, isApart, isMinimised }
    })
    untrack(() => {
      const { preferences, account } = this.#parts
      const { [account]: before = [], ...others } = preferences.values.openDrafts
      if (JSON.stringify(open) === JSON.stringify(before)) return
      void preferences.choose({ openDrafts: open.length === 0 ? others : { ...others, [account]: open } })
    })
  }

  /** Restores the composers open when the window last closed. */
  async reopen(): Promise<void> {
    if (this.#isReopening) return
    this.#isReopening = true
    const { preferences, account, ending } = this.#parts
    if (await claimOpenDrafts(account, ending)) {
      for (const kept of preferences.values.openDrafts[account] ?? []) await this.#reopenDraft(kept)
    }
    this.#isSavingEnabled = true
  }

  async #reopenDraft({ draftId, isApart, isMinimised }: OpenDraft): Promise<void> {
    const opened = await this.#parts.backend.call('draft.open', { draftId })
    // The draft may have been sent or discarded elsewhere, or already opened by the user.
    if (this.#parts.ending.aborted || !opened.ok || !isEditableDraft(opened.data) || this.find(draftId) !== null) return
    const composing = this.add(opened.data)
    composing.isApart = isApart
    composing.isMinimised = isMinimised
    composing.isReopened = !isMinimised
  }
}
