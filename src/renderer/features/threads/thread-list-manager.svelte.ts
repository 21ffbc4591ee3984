import type { Label, ListedThread, Thread } from '../../../shared/model.ts'
import { fail, type Result } from '../../../shared/result.ts'
import { folderQuery, keptListOf, threadQueryKey, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { StateChange } from '../../../shared/thread-state.ts'
import type { Events } from '../../../shared/contract.ts'
import type { ThreadListRoute } from '../../app/route.ts'
import type { Backend } from '../../backend.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { soon } from '../../ui/soon.ts'
import { describeSearchFault } from '../search/describe-search-fault.ts'
import type { DrawnChange } from './pending-changes.svelte.ts'
import { readRoute, type ReadRoute } from './query-of-route.ts'
import { ThreadRows } from './thread-rows.svelte.ts'

/** The list of threads on the screen, whatever its query is. */
export class ThreadListManager {
  readonly cursor = new ListCursor<ListedThread>()
  readonly #backend: Backend
  #route = $state.raw<ThreadListRoute | null>(null)
  #rows = $state.raw<ThreadRows | null>(null)
  #key = ''

  constructor(backend: Backend) {
    this.#backend = backend
    const reread = soon(() => this.#rows?.reread())
    backend.on('threads.changed', (change) => {
      if (this.#isNamedBy(change) || this.#rows?.holds(change.threadIds) === true) reread()
    })
  }

  get route(): ThreadListRoute | null {
    return this.#route
  }

  /** The search by whose e-mails a thread of the list is opened; null for the list of a folder or a label. */
  get searched(): ThreadQuery | null {
    const query = this.#rows?.query
    return query !== undefined && this.#rows?.marks !== null ? query : null
  }

  get rows(): ThreadRows | null {
    return this.#rows
  }

  /** Shows this list; the one that is shown already stays as it is. @param labels of the inbox, which a search may name */
  show(route: ThreadListRoute, labels: readonly Label[] = []): void {
    const read = readRoute(route, labels)
    const key = 'query' in read ? threadQueryKey(read.query) : `fault ${read.text}`
    this.#route = route
    if (this.#rows === null || this.#key !== key) {
      this.#key = key
      this.#rows = this.#rowsOf(route, read)
      this.cursor.moveTo(this.#rows, 0)
    }
    this.#rows.open()
  }

  /** Another view is on the screen. */
  hide(): void {
    this.#rows?.close()
  }

  /** The thread as the list has it; undefined where it is not at hand. */
  thread(id: string): ListedThread | undefined {
    return this.#rows?.at(this.#rows.indexOf(id))
  }

  /** The thread beside this one, to be shown when this one leaves: the next older, else the next newer. */
  neighbourOf(threadId: string): string | null {
    const index = this.#rows?.indexOf(threadId) ?? -1
    if (index === -1) return null
    return (this.#rows?.at(index + 1) ?? this.#rows?.at(index - 1))?.id ?? null
  }

  /** Whether a change takes a thread out of the list. */
  loses(thread: Thread, change: StateChange): boolean {
    return this.#rows?.loses(thread, change) === true
  }

  /** Draws a change over the list before the engine has answered. */
  draw(threadIds: readonly string[], change: StateChange, labels: readonly Label[]): DrawnChange {
    return this.#rows?.draw(threadIds, change, labels) ?? { accept: () => undefined, revert: () => undefined }
  }

  refresh(): void {
    this.#rows?.refresh()
  }

  #isNamedBy({ inboxId, folders, labelIds, searches }: Events['threads.changed']): boolean {
    const query = this.#rows?.query
    if (query?.inboxIds.includes(inboxId) !== true) return false
    const list = keptListOf(query)
    if (list === null) return searches === null || searches.includes(this.#key)
    return 'folder' in list ? folders.includes(list.folder) : labelIds.includes(list.labelId)
  }

  #rowsOf(route: ThreadListRoute, read: ReadRoute): ThreadRows {
    if (!('query' in read)) {
      const refused = (): Promise<Result<never>> =>
        Promise.resolve(fail('query_invalid', describeSearchFault(read.fault)))
      return new ThreadRows(folderQuery(route.inboxId, 'inbox'), { read: refused, askAgain: () => Promise.resolve() })
    }
    const { query } = read
    return new ThreadRows(query, {
      read: (window) => this.#backend.call('thread.list', { query, ...window }),
      askAgain: () =>
        keptListOf(query) === null ? this.#backend.call('thread.searchAgain', { query }) : Promise.resolve(),
    })
  }
}
