import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MAX_SEARCH_TABS } from '../../../shared/inbox-tabs.ts'
import { moveBefore } from '../../../shared/move-before.ts'
import { STORED_SEARCH_LIMITS, type RecentSearch, type SavedSearch } from '../../../shared/model.ts'
import { countCharacters } from '../../../shared/search/word-tokenizer.ts'
import { requireName } from '../require-name.ts'
import { LocalList, type LocalLists } from '../../store/local-list.ts'
import { createProblem } from '../../../shared/result.ts'

export type StoredSearch = Omit<SavedSearch, 'unread'>

const entry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('saved'),
    id: z.string().min(1),
    name: z.string().min(1),
    inboxId: z.string().min(1),
    text: z.string().min(1),
    isTab: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('recent'), text: z.string().min(1) }),
])
type Entry = z.output<typeof entry>

interface Lists {
  readonly saved: readonly StoredSearch[]
  readonly recent: readonly RecentSearch[]
}

const toEntries = ({ saved, recent }: Lists): readonly Entry[] => [
  ...saved.map((search) => ({ kind: 'saved', ...search }) as const),
  ...recent.map(({ text }) => ({ kind: 'recent', text }) as const),
]

const toLists = (entries: readonly Entry[]): Lists => {
  const saved = new Map<string, StoredSearch>()
  const recent = new Set<string>()
  for (const each of entries) {
    if (each.kind === 'recent') recent.add(each.text)
    else if (!saved.has(each.id)) {
      const { id, name, inboxId, text, isTab } = each
      saved.set(id, { id, name, inboxId, text, ...(isTab && { isTab }) })
    }
  }
  return {
    saved: [...saved.values()],
    recent: [...recent].slice(0, STORED_SEARCH_LIMITS.recent).map((text) => ({ text })),
  }
}

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
export class SearchStore {
  readonly #list: LocalList<Entry>
  readonly #changed: (list: 'saved' | 'recent') => void
  #lists: Lists

  constructor(own: LocalLists, changed: (list: 'saved' | 'recent') => void) {
    this.#list = new LocalList(own, 'searches', entry)
    this.#lists = toLists(this.#list.read())
    this.#changed = changed
  }

  recent(): readonly RecentSearch[] {
    return this.#lists.recent
  }

  /** @throws ProblemError `invalid_input` */
  addRecent(typed: string): void {
    const text = textOf(typed)
    const { recent } = this.#lists
    if (recent[0]?.text === text) return
    const others = recent.filter((each) => each.text !== text)
    this.#persist({ recent: [{ text }, ...others].slice(0, STORED_SEARCH_LIMITS.recent) })
  }

  clearRecent(): void {
    if (this.#lists.recent.length > 0) this.#persist({ recent: [] })
  }

  saved(): readonly StoredSearch[] {
    return this.#lists.saved
  }

  /** If one with the same text and inbox exists, only its name changes. @throws ProblemError `invalid_input` */
  save({ inboxId, isTab, ...typed }: Omit<StoredSearch, 'id'>, before: string | null): StoredSearch {
    const [name, text] = [nameOf(typed.name), textOf(typed.text)]
    const { saved } = this.#lists
    const same = saved.find((each) => each.inboxId === inboxId && each.text === text)
    if (same !== undefined) return this.#put({ ...same, name })
    if (saved.length >= STORED_SEARCH_LIMITS.saved) {
      const message = `You can have at most ${STORED_SEARCH_LIMITS.saved} saved searches. Delete one first.`
      throw createProblem('invalid_input', message)
    }
    const isWithTab = isTab === true && this.tabsOf(inboxId).length < MAX_SEARCH_TABS
    const search: StoredSearch = { id: randomUUID(), name, inboxId, text, ...(isWithTab && { isTab }) }
    this.#persist({ saved: moveBefore(saved, search, before) })
    return search
  }

  /** @throws ProblemError `not_found`, `invalid_input` */
  rename(id: string, name: string): void {
    this.#put({ ...this.#find(id), name: nameOf(name) })
  }

  /** A single write. Also rewrites names that equal the text. Skips texts that are too long or already taken. */
  rewrite(newTextOf: (search: StoredSearch) => string): void {
    const before = this.#lists.saved
    const isTaken = ({ id, inboxId }: StoredSearch, text: string): boolean =>
      before.some((each) => each.id !== id && each.inboxId === inboxId && each.text === text)
    const saved = before.map((search) => {
      const text = newTextOf(search)
      if (text === search.text || text.length > STORED_SEARCH_LIMITS.text || isTaken(search, text)) return search
      const isNamedSo =
        search.name === withSingleSpaces(search.text) && countCharacters(text) <= STORED_SEARCH_LIMITS.name
      return { ...search, text, name: isNamedSo ? withSingleSpaces(text) : search.name }
    })
    if (saved.some((search, index) => search !== before[index])) this.#persist({ saved })
  }

  tabsOf(inboxId: string): readonly StoredSearch[] {
    return this.#lists.saved.filter((search) => search.inboxId === inboxId && search.isTab === true)
  }

  /** @throws ProblemError `not_found`, `invalid_input` */
  showAsTab(id: string, isWanted: boolean): void {
    const { isTab = false, ...search } = this.#find(id)
    if (isTab === isWanted) return
    if (isWanted && this.tabsOf(search.inboxId).length >= MAX_SEARCH_TABS) {
      const message = `An inbox can have at most ${MAX_SEARCH_TABS} saved searches as tabs. Remove one first.`
      throw createProblem('invalid_input', message)
    }
    this.#put(isWanted ? { ...search, isTab: true } : search)
  }

  /** @throws ProblemError `not_found` */
  move(id: string, before: string | null): void {
    this.#persist({ saved: moveBefore(this.#lists.saved, this.#find(id), before) })
  }

  /** Does nothing for an unknown ID. */
  remove(id: string): void {
    const { saved } = this.#lists
    const others = saved.filter((each) => each.id !== id)
    if (others.length < saved.length) this.#persist({ saved: others })
  }

  #find(id: string): StoredSearch {
    const search = this.#lists.saved.find((each) => each.id === id)
    if (search === undefined) throw createProblem('not_found', 'This saved search no longer exists.')
    return search
  }

  #put(search: StoredSearch): StoredSearch {
    this.#persist({ saved: this.#lists.saved.map((each) => (each.id === search.id ? search : each)) })
    return search
  }

  #persist(part: Partial<Lists>): void {
    const next = { ...this.#lists, ...part }
    this.#list.write(toEntries(next))
    this.#lists = next
    if (part.saved !== undefined) this.#changed('saved')
    if (part.recent !== undefined) this.#changed('recent')
  }
}
