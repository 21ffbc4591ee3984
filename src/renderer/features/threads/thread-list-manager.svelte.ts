import { tick } from 'svelte'
import type { Label, ListedThread, Thread } from '../../../shared/model.ts'
import { listPossibleOrders, type ListOrder } from '../../../shared/list-order.ts'
import type { Problem } from '../../../shared/result.ts'
import { parseSearch, type WithSpan, type SearchFault } from '../../../shared/search/parse-search.ts'
import {
  createFolderQuery,
  toCachedList,
  createLabelQuery,
  createLocalOnlyQuery,
  threadQueryKey,
  withPrefixTerm,
  type ThreadQuery,
} from '../../../shared/thread-query.ts'
import type { ThreadStateChange } from '../../../shared/thread-state.ts'
import type { Events } from '../../../shared/contract.ts'
import { toListSearch, type ThreadListRoute, type ThreadRoute } from '../../kernel/route.ts'
import type { Backend } from '../../kernel/backend.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import type { OptimisticChange, ChangedThreads } from './pending-changes.svelte.ts'
import { ThreadRows } from './thread-rows.svelte.ts'
import { ThreadSelection } from './thread-selection.svelte.ts'

type ParsedRoute = { readonly query: ThreadQuery } | { readonly fault: WithSpan<SearchFault>; readonly text: string }

/** Names that a search may use: the inbox's labels, and names for `me`. */
export interface SearchNames {
  readonly labels: readonly Label[]
  readonly me?: readonly string[]
}

const NOTHING_NAMEABLE: SearchNames = { labels: [] }

/** Parses a typed search into a query or its first error. @param known the names it may use */
export const parseTypedSearch = (inboxId: string, text: string, known: SearchNames): ParsedRoute => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const { filter, faults } = parseSearch(text, { ...known, now: Date.now(), timeZone })
  const [fault] = faults
  return fault === undefined ? { query: { ...withPrefixTerm(filter), inboxIds: [inboxId] } } : { fault, text }
}

export class ThreadListManager {
  readonly cursor = new ListCursor<ListedThread>()
  readonly selection = new ThreadSelection(() => this.rows)
  readonly #backend: Backend
  readonly #labelIdNow: (labelId: string) => string
  readonly #leavesOutDropped: () => boolean
  readonly #onProblem: (problem: Problem) => void
  readonly #chosenOrder: (list: ThreadListRoute) => ListOrder
  readonly #rereadSoon = coalesceCalls(() => (this.#next ?? this.rows)?.reread())
  route = $state.raw<ThreadListRoute | null>(null)
  /** The route of `rows`: while a search is typed, the previous one until the new rows are loaded. */
  shown = $state.raw<ThreadListRoute | null>(null)
  /** True while a window over the list shows the message of the row under the cursor. */
  isInQuickLook = $state(false)
  #openId: string | null = null
  rows = $state.raw<ThreadRows | null>(null)
  /** The list before the search, restored with its cursor when the search ends. */
  #listBeforeSearch: { readonly key: string; readonly rows: ThreadRows; readonly threadId: string | null } | null = null
  /** Replaces `rows` once it is loaded. */
  #next = $state.raw<ThreadRows | null>(null)
  #key = ''
  /** The search being typed: only local mail is searched. */
  #typed: string | null = null
  #isForTyping = false
  #nameable = NOTHING_NAMEABLE
  #returned: { readonly threadId: string | null; readonly cursorId: string | null } | null = null

  /**
   * @param labelIdNow returns the current ID for a label's previous one
   * @param leavesOutDropped true if folders and labels hide mail that the platform has dropped
   * @param onProblem receives the problem if repeating a search fails
   * @param chosenOrder the user's order for a list, which the list may not have
   */
  constructor(
    backend: Backend,
    labelIdNow: (labelId: string) => string = (labelId) => labelId,
    leavesOutDropped = (): boolean => false,
    onProblem: (problem: Problem) => void = () => undefined,
    chosenOrder: (list: ThreadListRoute) => ListOrder = () => 'newest',
  ) {
    this.#chosenOrder = chosenOrder
    this.#backend = backend
    this.#onProblem = onProblem
    this.#leavesOutDropped = leavesOutDropped
    this.#labelIdNow = labelIdNow
    backend.on('threads.changed', (change) => {
      this.selection.noteChanged(change.threadIds)
      if (this.#isAffectedBy(change) || this.rows?.holds(change.threadIds) === true) this.#rereadSoon()
    })
  }

  /** Orders that the list can have. */
  get orders(): readonly ListOrder[] {
    return this.rows === null ? [] : listPossibleOrders(this.rows.query)
  }

  /** Null for folders and labels. */
  get searched(): ThreadQuery | null {
    const query = this.rows?.query
    return query !== undefined && this.rows?.marks !== null ? query : null
  }

  /** Shows this list, unless it is displayed already. @param known names that a search may use */
  show(route: ThreadListRoute | ThreadRoute, known: SearchNames = NOTHING_NAMEABLE): void {
    const openId = 'threadId' in route ? route.threadId : null
    // Opening another thread clears the selection: the user has moved on from it.
    if (openId !== null && openId !== this.#openId) this.selection.clear()
    this.#openId = openId
    const wasTyped = this.#isForTyping
    const isTyped = route.view === 'search' && route.query === this.#typed
    if (!isTyped) this.#typed = null
    const read = this.#parseRoute(route, known)
    const order = this.#orderOf(route, read)
    const list = 'query' in read ? threadQueryKey(read.query) : `fault ${read.text}`
    const key = order === 'newest' ? list : `${order} ${list}`
    const isSame = this.rows !== null && this.#key === key && this.#isForTyping === isTyped
    const { shown } = this
    const isSameText =
      route.view === 'search' &&
      shown?.view === 'search' &&
      shown.query === route.query &&
      shown.inboxId === route.inboxId
    this.#rememberList(route)
    this.route = route
    this.#nameable = known
    this.#key = key
    this.#isForTyping = isTyped
    if (isSame) {
      if (this.#next === null) this.shown = route
      void (this.#next ?? this.rows)?.open()
      return
    }
    const before = this.#listBeforeSearch
    if (route.view !== 'search') this.#listBeforeSearch = null
    if (before?.key === key) {
      this.#returnTo(before.rows, route, openId ?? before.threadId)
      return
    }
    const rows = this.#rowsOf(route, read, order, isTyped)
    const isReordered = this.rows !== null && this.rows.order !== order && threadQueryKey(this.rows.query) === list
    // The same list with a new label ID or another assignee: replace the rows without a visible change.
    const isFollowed =
      !isTyped && !wasTyped && 'query' in read && (this.#isShownAs(read.query) || (isSameText && !this.isFaulty))
    if (this.rows !== null && (isTyped || isFollowed || isReordered || (wasTyped && route.view === 'search'))) {
      this.#next = rows
      void rows.open().then(() => {
        if (this.#next !== rows) return
        this.#replaceRows(rows, route, isFollowed)
        // The open thread is still in the list, if the loaded rows reach it.
        if (isReordered && openId !== null && rows.indexOf(openId) !== -1) this.cursor.follow(rows, openId)
      })
    } else {
      this.#replaceRows(rows, route, false)
      void rows.open()
    }
  }

  /**
   * Shows a search as it is typed: until `ask`, local results replace the rows as they arrive. Starts at once, so the
   * engine searches while the window paints the letter.
   */
  type(route: ThreadListRoute & { readonly view: 'search' }, known: SearchNames): void {
    this.#typed = route.query
    this.show(route, known)
  }

  /** True until the last requested rows are displayed. */
  get isArriving(): boolean {
    return this.#next !== null
  }

  get isTyped(): boolean {
    return this.#typed !== null
  }

  /** The typed search is complete: ask the platform too. */
  ask(): void {
    this.#typed = null
    if (this.route !== null) this.show(this.route, this.#nameable)
  }

  /** True if the search in the route cannot be parsed. */
  get isFaulty(): boolean {
    return this.rows?.isFaulty === true
  }

  showQuickLook(isShown: boolean): void {
    this.isInQuickLook = isShown
  }

  hide(): void {
    this.#typed = null
    this.isInQuickLook = false
    // Load pending rows again when the list returns.
    if (this.#next !== null) this.#key = ''
    this.#next = null
    this.selection.clear()
    this.rows?.close()
    this.rows?.release(null)
  }

  thread(id: string): ListedThread | undefined {
    return this.rows?.at(this.rows.indexOf(id))
  }

  /**
   * The thread that takes this one's place when some leave: itself if it stays, else the next older (or newer), else
   * the next in the other direction. Considers loaded rows only; null if none is left.
   */
  successorOf(
    threadId: string | null,
    leaving: ReadonlySet<string>,
    towards: 'older' | 'newer' = 'older',
  ): string | null {
    const threads = this.rows?.loaded() ?? []
    const at = threads.findIndex(({ id }) => id === threadId)
    const stays = ({ id }: Thread): boolean => !leaving.has(id)
    const itself = threads[at]
    if (itself === undefined) return null
    if (stays(itself)) return itself.id
    const older = threads.slice(at).find(stays)
    const newer = threads.slice(0, at).findLast(stays)
    return (towards === 'older' ? (older ?? newer) : (newer ?? older))?.id ?? null
  }

  /** Moves the cursor to a thread. @param settled until it resolves, the thread may leave the list and return */
  goTo(threadId: string, settled: Promise<unknown> | null = null): void {
    if (this.rows !== null) this.cursor.follow(this.rows, threadId, settled)
  }

  /** Records list, cursor and selection. @returns a function that restores them, with this thread open */
  capturePlace(): (route: ThreadRoute, settled: Promise<unknown>) => void {
    const [known, cursorId, select] = [this.#nameable, this.cursor.id, this.selection.capture()]
    const { index } = this.cursor
    return (route, settled) => {
      // Show the list at once, with the restored cursor and selection; the list saved before a search is older.
      this.#listBeforeSearch = null
      this.show(route, known)
      if (cursorId !== null)
        this.goTo(
          cursorId,
          settled.then(() => this.#reloadForCursor(cursorId, index)),
        )
      select(settled)
      // The frame follows the address a moment later. With a selection, the cursor is not on the open thread.
      this.#returned = { threadId: route.threadId, cursorId }
      void tick().then(() => (this.#returned = null))
    }
  }

  /** Moves the cursor to the opened thread, or to its former place on the way back. */
  followOpened(threadId: string): void {
    this.goTo((this.#returned?.threadId === threadId ? this.#returned.cursorId : null) ?? threadId)
  }

  loses(thread: Thread, change: ThreadStateChange): boolean {
    return this.rows?.loses(thread, change) === true
  }

  draw(threads: ChangedThreads, change: ThreadStateChange, labels: readonly Label[]): OptimisticChange {
    return this.rows?.draw(threads, change, labels) ?? { accept: () => undefined, revert: () => undefined }
  }

  refresh(): void {
    this.release()
    if (this.#typed !== null) this.ask()
    else this.rows?.refresh()
  }

  release(): void {
    this.rows?.release(this.#openId)
  }

  /** The response that restores a thread may arrive before its row. @param index its former row */
  async #reloadForCursor(threadId: string, index: number): Promise<void> {
    const rows = this.rows
    if (rows?.indexOf(threadId) !== -1) return
    rows.reread()
    rows.ensureLoaded(index)
    await rows.whenSettled()
    if (this.rows === rows && this.cursor.id === threadId) this.cursor.settle(rows)
  }

  #parseRoute(route: ThreadListRoute, known: SearchNames): ParsedRoute {
    const dropped = this.#leavesOutDropped() ? false : null
    switch (route.view) {
      case 'folder':
      case 'label': {
        const { inboxId } = route
        const list =
          route.view === 'folder' ? createFolderQuery(inboxId, route.folder) : createLabelQuery(inboxId, route.labelId)
        const text = toListSearch(route)
        return text === '' ? { query: { ...list, dropped } } : this.#parsePart(list, text, known, dropped)
      }
      case 'localOnly':
        return { query: createLocalOnlyQuery(route.inboxId) }
      case 'search':
        return parseTypedSearch(route.inboxId, route.query, known)
    }
  }

  /** The threads of a folder or label that a search finds. */
  #parsePart(list: ThreadQuery, text: string, known: SearchNames, dropped: false | null): ParsedRoute {
    const read = parseTypedSearch(list.inboxIds[0] ?? '', text, known)
    if (!('query' in read)) return read
    const { folders, labelIds } = list
    return { query: { ...read.query, folders, labelIds, dropped: read.query.dropped ?? dropped } }
  }

  /** True if the query is the shown one with the current IDs of its labels. */
  #isShownAs(query: ThreadQuery): boolean {
    const shown = this.rows?.query
    if (shown === undefined || threadQueryKey(shown) === threadQueryKey(query)) return false
    const now = (ids: readonly string[]): readonly string[] => ids.map((id) => this.#labelIdNow(id))
    const { labelIds, assignedTo, notAssignedTo } = shown
    const shownNow = {
      ...shown,
      labelIds: now(labelIds),
      assignedTo: assignedTo && now(assignedTo),
      notAssignedTo: now(notAssignedTo),
    }
    return threadQueryKey(shownNow) === threadQueryKey(query)
  }

  #rememberList({ view }: ThreadListRoute): void {
    const shown = this.rows
    const isOfSearch = this.route === null || this.route.view === 'search'
    if (view !== 'search' || isOfSearch || shown === null || this.#next !== null) return
    this.#listBeforeSearch = { key: this.#key, rows: shown, threadId: this.cursor.id }
    shown.close()
  }

  /** Shows the list from before the search once it is loaded again. */
  #returnTo(rows: ThreadRows, route: ThreadListRoute, threadId: string | null): void {
    this.#next = rows
    rows.reread()
    void rows.open().then(() => {
      if (this.#next !== rows) return
      if (this.rows !== rows) this.rows?.close()
      this.rows = rows
      this.shown = route
      this.#next = null
      this.selection.clear()
      if (threadId === null || rows.indexOf(threadId) === -1) this.cursor.settle(rows)
      else this.cursor.follow(rows, threadId)
    })
  }

  #replaceRows(rows: ThreadRows, route: ThreadListRoute, isFollowed: boolean): void {
    this.rows = rows
    this.shown = route
    this.#next = null
    if (isFollowed) {
      this.cursor.settle(rows)
      return
    }
    this.selection.clear()
    this.cursor.moveTo(rows, 0)
  }

  #isAffectedBy({ inboxId, folders, labelIds, localOnly = false, searches }: Events['threads.changed']): boolean {
    const query = (this.#next ?? this.rows)?.query
    if (query?.inboxIds.includes(inboxId) !== true) return false
    const list = toCachedList(query)
    if (list === null) return searches === null || searches.includes(this.#key)
    if ('isLocalOnly' in list) return localOnly
    return 'folder' in list ? folders.includes(list.folder) : labelIds.includes(list.labelId)
  }

  #orderOf(route: ThreadListRoute, read: ParsedRoute): ListOrder {
    const chosen = this.#chosenOrder(route)
    return 'query' in read && listPossibleOrders(read.query).includes(chosen) ? chosen : 'newest'
  }

  #rowsOf(route: ThreadListRoute, read: ParsedRoute, order: ListOrder, isTyped: boolean): ThreadRows {
    const isFaulty = !('query' in read)
    const query = isFaulty ? createFolderQuery(route.inboxId, 'inbox') : read.query
    let rows = null as ThreadRows | null
    // A list may be shown from a component's effect, such as the palette's, and must outlive it.
    $effect.root(() => {
      rows = new ThreadRows(this.#backend, query, {
        order,
        before: isFaulty ? null : this.rows,
        isTyped,
        isFaulty,
        onRead: () => this.selection.dropLost(),
        onProblem: this.#onProblem,
      })
    })
    if (rows === null) throw new Error('An effect root runs at once.')
    return rows
  }
}
