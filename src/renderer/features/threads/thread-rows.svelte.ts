import type { Freshness, Label, Page, Thread } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { leavesList, type ThreadListRoute } from '../../app/route.ts'
import type { RowSource } from '../../ui/row-source.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'
import { PendingChanges, type DrawnChange } from './pending-changes.svelte.ts'
import type { ThreadPatch } from './thread-patch.ts'

type ReadThreads = (window: { readonly offset: number; readonly limit: number }) => Promise<Result<Page<Thread>>>

/** Whether a thread with this change is no longer in the list. */
const leaves = (route: ThreadListRoute, { folder, removeLabels }: ThreadPatch): boolean =>
  (folder !== undefined && leavesList(route, folder)) ||
  (route.view === 'label' && removeLabels?.includes(route.labelId) === true)

/** The threads of a folder or a label as the engine has them, with the changes of this moment drawn over them. */
export class ThreadRows implements RowSource<Thread> {
  readonly #route: ThreadListRoute
  readonly #pending = new PendingChanges()
  readonly #rows: WindowedList<Thread>
  /** Indexes, in what was read, of the rows that are leaving; ascending. */
  readonly #leaving: readonly number[] = $derived.by(() => {
    const ids = this.#pending.all.flatMap(({ threadIds, patch }) => (leaves(this.#route, patch) ? [...threadIds] : []))
    const indexes = ids.map((id) => this.#rows.indexOf(id))
    return indexes.filter((index, at) => index !== -1 && indexes.indexOf(index) === at).sort((a, b) => a - b)
  })

  constructor(route: ThreadListRoute, read: ReadThreads) {
    this.#route = route
    this.#rows = new WindowedList(read, () => this.#pending.beginReading())
  }

  get total(): number {
    return Math.max(0, this.#rows.total - this.#leaving.length)
  }

  get phase(): RowSource<Thread>['phase'] {
    return this.#rows.phase
  }

  get problem(): Problem | null {
    return this.#rows.problem
  }

  get freshness(): Freshness | null {
    return this.#rows.freshness
  }

  at(index: number): Thread | undefined {
    const thread = this.#rows.at(this.#indexInRows(index))
    return thread === undefined ? undefined : this.#pending.patched(thread)
  }

  indexOf(id: string): number {
    const index = this.#rows.indexOf(id)
    if (index === -1 || this.#leaving.includes(index)) return -1
    return index - this.#leaving.filter((gone) => gone < index).length
  }

  show(first: number, last: number): void {
    this.#rows.show(this.#indexInRows(first), this.#indexInRows(last))
  }

  refresh(): void {
    this.#rows.refresh()
  }

  open(): void {
    this.#rows.open()
  }

  close(): void {
    this.#rows.close()
  }

  /** Whether any row at hand is one of these. */
  holds(ids: readonly string[]): boolean {
    return this.#rows.holds(ids)
  }

  draw(threadIds: readonly string[], patch: ThreadPatch, labels: readonly Label[]): DrawnChange {
    return this.#pending.draw(threadIds, patch, labels)
  }

  #indexInRows(index: number): number {
    return this.#leaving.reduce((at, gone) => (gone <= at ? at + 1 : at), index)
  }
}
