import type { Label, Thread } from '../../../shared/model.ts'
import type { Backend } from '../../backend.ts'
import { listKey, type ThreadListRoute } from '../../app/route.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { RowSource } from '../../ui/row-source.ts'
import { soon } from '../../ui/soon.ts'
import { SearchResults } from '../search/search-results.svelte.ts'
import type { DrawnChange } from './pending-changes.svelte.ts'
import type { ThreadPatch } from './thread-patch.ts'
import { ThreadRows } from './thread-rows.svelte.ts'

/** The list of threads on the screen. */
export class ThreadListManager {
  readonly cursor = new ListCursor<Thread>()
  readonly #backend: Backend
  #route = $state.raw<ThreadListRoute | null>(null)
  #rows = $state.raw<ThreadRows | SearchResults | null>(null)

  constructor(backend: Backend) {
    this.#backend = backend
    const refresh = soon(() => {
      if (this.#rows instanceof ThreadRows) this.#rows.refresh()
    })
    backend.on('threads.changed', ({ inboxId, folders, labelIds, threadIds }) => {
      const rows = this.#rows
      const route = this.#route
      if (!(rows instanceof ThreadRows) || route?.inboxId !== inboxId) return
      const isNamed =
        (route.view === 'folder' && folders.includes(route.folder)) ||
        (route.view === 'label' && labelIds.includes(route.labelId))
      if (isNamed || rows.holds(threadIds)) refresh()
    })
  }

  get route(): ThreadListRoute | null {
    return this.#route
  }

  get rows(): RowSource<Thread> | null {
    return this.#rows
  }

  /** What a search found, where the list is one. */
  get results(): SearchResults | null {
    return this.#rows instanceof SearchResults ? this.#rows : null
  }

  /** Shows this list; the one that is shown already stays as it is. */
  show(route: ThreadListRoute): void {
    if (this.#route === null || this.#rows === null || listKey(this.#route) !== listKey(route)) {
      this.#route = route
      this.#rows = this.#listOf(route)
      this.cursor.moveTo(this.#rows, 0)
    }
    if (this.#rows instanceof ThreadRows) this.#rows.open()
  }

  /** Another view is on the screen. */
  hide(): void {
    if (this.#rows instanceof ThreadRows) this.#rows.close()
  }

  /** The thread as the list has it; undefined where it is not at hand. */
  thread(id: string): Thread | undefined {
    return this.#rows?.at(this.#rows.indexOf(id))
  }

  /** The thread beside this one, to be shown when this one leaves: the next older, else the next newer. */
  neighbourOf(threadId: string): string | null {
    const index = this.#rows?.indexOf(threadId) ?? -1
    if (index === -1) return null
    return (this.#rows?.at(index + 1) ?? this.#rows?.at(index - 1))?.id ?? null
  }

  /** Draws a change over the list before the engine has answered. */
  draw(threadIds: readonly string[], patch: ThreadPatch, labels: readonly Label[]): DrawnChange {
    return this.#rows?.draw(threadIds, patch, labels) ?? { accept: () => undefined, revert: () => undefined }
  }

  refresh(): void {
    this.#rows?.refresh()
  }

  #listOf(route: ThreadListRoute): ThreadRows | SearchResults {
    if (route.view === 'search') return new SearchResults(this.#backend, route.inboxId, route.query)
    const which = route.view === 'folder' ? { folder: route.folder } : { labelId: route.labelId }
    return new ThreadRows(route, (window) =>
      this.#backend.call('thread.list', { inboxId: route.inboxId, ...which, ...window }),
    )
  }
}
