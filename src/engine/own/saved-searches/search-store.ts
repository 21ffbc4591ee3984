import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MAX_SEARCH_TABS } from '../../../shared/inbox-tabs.ts'
import { moveBefore } from '../../../shared/move-before.ts'
import { STORED_SEARCH_LIMITS, type RecentSearch, type SavedSearch } from '../../../shared/model.ts'
import { countCharacters } from '../../../shared/search/word-tokenizer.ts'
import { requireName } from '../require-name.ts'
import { LocalList, OrderedList, type LocalLists } from '../local-list.ts'
import { createProblem } from '../../../shared/result.ts'

export type StoredSearch = Omit<SavedSearch, 'unread'>

const saved = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  inboxId: z.string().min(1),
  text: z.string().min(1),
  isTab: z.literal(true).optional(),
})
const recent = z.object({ text: z.string().min(1) })

const textOf = (typed: string): string => {
  const text = typed.trim()
  if (text === '') throw createProblem('invalid_input', 'There is nothing to search for. Type a search first.')
  if (text.length > STORED_SEARCH_LIMITS.text) {
    throw createProblem('invalid_input', 'This search is too long to save. Shorten it, then save it again.')
  }
  return text
}

const withSingleSpaces = (text: string): string => text.trim().replace(/\s+/gu, ' ')

const nameOf = (typed: string): string => requireName(typed, STORED_SEARCH_LIMITS.name, 'Type a name for the search.')

/** Exist only locally. A change is on disk when the method returns; after an error, nothing has changed. */
export class SearchStore extends OrderedList<StoredSearch> {
  protected readonly goneMessage = 'This saved search no longer exists.'
  readonly #recent: LocalList<RecentSearch>

  constructor(own: LocalLists, changed: (list: 'saved' | 'recent') => void) {
    super(own, 'saved-searches', saved, () => changed('saved'))
    this.#recent = new LocalList(own, 'recent-searches', recent, () => changed('recent'))
  }

  recent(): readonly RecentSearch[] {
    return this.#recent.entries
  }

  /** @throws ProblemError `invalid_input` */
  addRecent(typed: string): void {
    const text = textOf(typed)
    const { entries } = this.#recent
    if (entries[0]?.text === text) return
    const others = entries.filter((each) => each.text !== text)
    this.#recent.set([{ text }, ...others].slice(0, STORED_SEARCH_LIMITS.recent))
  }

  clearRecent(): void {
    if (this.recent().length > 0) this.#recent.set([])
  }

  /** If one with the same text and inbox exists, only its name changes. @throws ProblemError `invalid_input` */
  save({ inboxId, isTab, ...typed }: Omit<StoredSearch, 'id'>, before: string | null): StoredSearch {
    const [name, text] = [nameOf(typed.name), textOf(typed.text)]
    const { entries } = this
    const same = entries.find((each) => each.inboxId === inboxId && each.text === text)
    if (same !== undefined) return this.#put({ ...same, name })
    if (entries.length >= STORED_SEARCH_LIMITS.saved) {
      const message = `You can have at most ${STORED_SEARCH_LIMITS.saved} saved searches. Delete one first.`
      throw createProblem('invalid_input', message)
    }
    const isWithTab = isTab === true && this.tabsOf(inboxId).length < MAX_SEARCH_TABS
    const search: StoredSearch = { id: randomUUID(), name, inboxId, text, ...(isWithTab && { isTab }) }
    this.set(moveBefore(entries, search, before))
    return search
  }

  /** @throws ProblemError `not_found`, `invalid_input` */
  rename(id: string, name: string): void {
    this.#put({ ...this.find(id), name: nameOf(name) })
  }

  /** A single write. Also rewrites names that equal the text. Skips texts that are too long or already taken. */
  rewriteTexts(newTextOf: (search: StoredSearch) => string): void {
    const before = this.entries
    const isTaken = ({ id, inboxId }: StoredSearch, text: string): boolean =>
      before.some((each) => each.id !== id && each.inboxId === inboxId && each.text === text)
    this.rewrite((search) => {
      const text = newTextOf(search)
      if (text === search.text || text.length > STORED_SEARCH_LIMITS.text || isTaken(search, text)) return search
      const isNamedSo =
        search.name === withSingleSpaces(search.text) && countCharacters(text) <= STORED_SEARCH_LIMITS.name
      return { ...search, text, name: isNamedSo ? withSingleSpaces(text) : search.name }
    })
  }

  tabsOf(inboxId: string): readonly StoredSearch[] {
    return this.entries.filter((search) => search.inboxId === inboxId && search.isTab === true)
  }

  /** @throws ProblemError `not_found`, `invalid_input` */
  showAsTab(id: string, isWanted: boolean): void {
    const { isTab = false, ...search } = this.find(id)
    if (isTab === isWanted) return
    if (isWanted && this.tabsOf(search.inboxId).length >= MAX_SEARCH_TABS) {
      const message = `An inbox can have at most ${MAX_SEARCH_TABS} saved searches as tabs. Remove one first.`
      throw createProblem('invalid_input', message)
    }
    this.#put(isWanted ? { ...search, isTab: true } : search)
  }

  #put(search: StoredSearch): StoredSearch {
    this.rewrite((each) => (each.id === search.id ? search : each))
    return search
  }
}
