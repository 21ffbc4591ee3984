import { STORED_SEARCH_LIMITS, type SavedSearch, type RecentSearch } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { QuestionManager } from '../../kernel/question-manager.svelte.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatCount, formatNumber } from '../../ui/format-quantity.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'

/** A search in the name dialog, new or renamed. */
export interface NamedSearch {
  /** Null if not saved yet. */
  readonly id: string | null
  readonly inboxId: string
  readonly text: string
  readonly name: string
}

/** Unread badge and its description, or null if there is nothing to show. */
export const describeUnread = ({
  unread,
}: Pick<SavedSearch, 'unread'>): { readonly count: string; readonly words: string } | null => {
  const most = STORED_SEARCH_LIMITS.unread
  if (unread === null || unread === 0) return null
  if (unread > most) {
    return { count: `${formatNumber(most)}+`, words: `more than ${formatCount(most, 'unread thread')}` }
  }
  return { count: formatNumber(unread), words: formatCount(unread, 'unread thread') }
}

/** The account's saved searches in the user's order, stored by its engine. */
export class SavedSearchesManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #actions: Pick<ThreadActionsManager, 'noteDone'>
  readonly #questions: QuestionManager
  #searches = $state.raw<readonly SavedSearch[]>([])
  /** Announcement of a move for screen readers. */
  moved = $state('')
  /** Number of the latest request. Responses to earlier requests are ignored. */
  #loadCount = 0

  constructor(
    backend: Backend,
    toasts: Readonly<ToastManager>,
    actions: Pick<ThreadActionsManager, 'noteDone'>,
    questions: QuestionManager,
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    this.#questions = questions
    backend.on('savedSearches.changed', () => void this.load())
  }

  of(inboxId: string): readonly SavedSearch[] {
    return this.#searches.filter((search) => search.inboxId === inboxId)
  }

  /** Undefined if not saved. */
  find(inboxId: string, text: string): SavedSearch | undefined {
    return this.of(inboxId).find((search) => search.text === text.trim())
  }

  async load(): Promise<void> {
    const look = (this.#loadCount += 1)
    const result = await this.#backend.call('savedSearch.list', {})
    if (result.ok && look === this.#loadCount) this.#searches = result.data
  }

  /** Asks for a name, and saves or renames the search. */
  ask({ id, inboxId, text, name }: NamedSearch): void {
    this.#questions.ask({
      title: id === null ? 'Save search' : 'Rename saved search',
      description:
        id === null
          ? 'Shown in the side bar with its unread count. Saved only on this computer.'
          : `Searches for “${text}”.`,
      action: id === null ? 'Save' : 'Rename',
      field: { label: 'Name', value: name, isRequired: true },
      answer: async (typed) => {
        const result =
          id === null
            ? await this.#backend.call('savedSearch.save', { inboxId, text, name: typed })
            : await this.#backend.call('savedSearch.rename', { id, name: typed })
        if (!result.ok) return result.error
        await this.load()
        return null
      },
    })
  }

  /** Moves a search within its inbox. -1 is up. */
  async move({ id, inboxId, name }: SavedSearch, delta: -1 | 1): Promise<void> {
    const all = this.of(inboxId)
    const from = all.findIndex((search) => search.id === id)
    const to = from + delta
    const other = all[to]
    const moved = all[from]
    if (other === undefined || moved === undefined) return
    const before = delta === -1 ? other.id : (all[to + 1]?.id ?? null)
    const rest = this.#searches.filter((search) => search.id !== id)
    const at = before === null ? rest.length : rest.findIndex((search) => search.id === before)
    this.#loadCount += 1
    this.#searches = rest.toSpliced(at, 0, moved)
    this.moved = `${name} is now ${formatNumber(to + 1)} of ${formatNumber(all.length)}.`
    const result = await this.#backend.call('savedSearch.move', { id, before })
    if (!result.ok) this.#showProblem(result.error)
  }

  async showAsTab({ id, name }: SavedSearch, isTab: boolean): Promise<void> {
    const result = await this.#backend.call('savedSearch.showAsTab', { id, isTab })
    if (!result.ok) {
      this.#showProblem(result.error)
      return
    }
    this.#actions.noteDone(isTab ? `“${name}” is now an inbox tab` : `“${name}” is no longer a tab`, () =>
      this.#backend.call('savedSearch.showAsTab', { id, isTab: !isTab }),
    )
  }

  async remove({ id, inboxId, name, text, isTab }: SavedSearch): Promise<void> {
    const next = this.#searches[this.#searches.findIndex((search) => search.id === id) + 1]
    const result = await this.#backend.call('savedSearch.remove', { id })
    if (!result.ok) {
      this.#showProblem(result.error)
      return
    }
    this.#loadCount += 1
    this.#searches = this.#searches.filter((search) => search.id !== id)
    const search = { inboxId, name, text, before: next?.id ?? null, ...(isTab && { isTab }) }
    this.#actions.noteDone(`Saved search “${name}” deleted`, async () => {
      const back = await this.#backend.call('savedSearch.save', search)
      await this.load()
      return back
    })
  }

  #showProblem(problem: Problem): void {
    this.#toasts.problem(problem)
    void this.load()
  }
}

/** The account's latest searches, stored by its engine. */
export class RecentSearchesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  /** Newest first. */
  searches = $state.raw<readonly RecentSearch[]>([])

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('recentSearches.changed', () => void this.load())
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('recentSearch.list', {})
    if (result.ok) this.searches = result.data
  }

  /** Failures aren't reported, since they don't affect the search itself. */
  async add(text: string): Promise<void> {
    await this.#backend.call('recentSearch.add', { text })
  }

  async clear(): Promise<void> {
    const result = await this.#backend.call('recentSearch.clear', {})
    if (result.ok) this.searches = []
    else this.#toasts.problem(result.error)
  }
}
