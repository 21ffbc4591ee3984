/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: its sets are replaced, never mutated */
import type { Label, Thread } from '../../../shared/model.ts'
import type { MatchingThreads } from './chosen-threads.ts'
import { canMoveTo } from '../../../shared/thread-moves.ts'
import { isInScope } from '../../../shared/thread-query.ts'
import { applyStateChange, type ThreadStateChange, type ThreadState } from '../../../shared/thread-state.ts'

/** Threads that a change is shown on: IDs, or an entire list with exceptions. */
export type ChangedThreads = readonly string[] | MatchingThreads

interface PendingChange {
  readonly id: number
  /** Null for an entire list. */
  readonly threadIds: ReadonlySet<string> | null
  readonly targets: (thread: Thread) => boolean
  /** False if the change makes no sense for the thread: in a change to an entire list, the engine skips those. */
  readonly applies: (thread: Thread) => boolean
  readonly change: ThreadStateChange
  readonly labels: readonly Label[]
  /** True once the engine has accepted the change: later reads include it. */
  readonly isAccepted: boolean
}

export interface OptimisticChange {
  readonly accept: () => void
  /** Call on rejection or undo: shows the previous state again. */
  readonly revert: () => void
}

/** For changes that are shown in some other way. */
export const NO_OPTIMISTIC_CHANGE: OptimisticChange = { accept: () => undefined, revert: () => undefined }

export const combineChanges = (drawn: readonly OptimisticChange[]): OptimisticChange => ({
  accept: () => drawn.forEach(({ accept }) => accept()),
  revert: () => drawn.forEach(({ revert }) => revert()),
})

export const toThreadState = ({ folder, read, labels, marks }: Thread): ThreadState => ({
  folder,
  read,
  labelIds: labels.map(({ id }) => id),
  marks,
})

const targetOf = (
  threads: ChangedThreads,
  { folder }: ThreadStateChange,
): Pick<PendingChange, 'threadIds' | 'targets' | 'applies'> => {
  if (!('query' in threads)) {
    const threadIds = new Set(threads)
    return { threadIds, targets: ({ id }) => threadIds.has(id), applies: () => true }
  }
  const { query, upTo } = threads
  const except = new Set(threads.except)
  return {
    threadIds: null,
    targets: (thread) =>
      thread.receivedAt <= upTo &&
      !except.has(thread.id) &&
      isInScope(query, { ...toThreadState(thread), hasOutbound: thread.hasOutbound, onServer: thread.onServer }),
    applies: (thread) => folder === undefined || canMoveTo(thread, folder),
  }
}

export const withChange = <Row extends Thread>(
  thread: Row,
  { change, labels }: { readonly change: ThreadStateChange; readonly labels: readonly Label[] },
): Row => {
  const { folder, read, labelIds, marks } = applyStateChange(toThreadState(thread), change)
  const known = new Map([...labels, ...thread.labels].map((label) => [label.id, label]))
  return {
    ...thread,
    folder,
    read,
    ...(marks !== undefined && { marks }),
    labels: labelIds.flatMap((id) => known.get(id) ?? []),
  }
}

/** Optimistic changes, each dropped once a read that started after the engine accepted it is displayed. */
export class PendingChanges {
  #pending = $state.raw<readonly PendingChange[]>([])
  #lastId = 0

  /** Threads with pending changes; null if any thread could have some. */
  get threadIds(): readonly string[] | null {
    const sets = this.#pending.map(({ threadIds }) => threadIds)
    return sets.includes(null) ? null : [...new Set(sets.flatMap((ids) => [...(ids ?? [])]))]
  }

  draw(threads: ChangedThreads, change: ThreadStateChange, labels: readonly Label[]): OptimisticChange {
    const id = (this.#lastId += 1)
    this.#pending = [...this.#pending, { id, ...targetOf(threads, change), change, labels, isAccepted: false }]
    return {
      accept: () => {
        this.#pending = this.#pending.map((each) => (each.id === id ? { ...each, isAccepted: true } : each))
      },
      revert: () => this.#forget(new Set([id])),
    }
  }

  /** Call when a read starts. @returns a function to call when its rows are displayed */
  startRead(): () => void {
    const inIt = new Set(this.#pending.filter(({ isAccepted }) => isAccepted).map(({ id }) => id))
    return () => {
      if (inIt.size > 0) this.#forget(inIt)
    }
  }

  withPending<Row extends Thread>(thread: Row): Row {
    return this.#pending
      .filter(({ targets, applies }) => targets(thread) && applies(thread))
      .reduce((drawn, pending) => withChange(drawn, pending), thread)
  }

  /** True if a change to the entire list includes this thread. */
  isInBulkTarget(thread: Thread): boolean {
    return this.#pending.some(({ threadIds, targets }) => threadIds === null && targets(thread))
  }

  #forget(ids: ReadonlySet<number>): void {
    this.#pending = this.#pending.filter(({ id }) => !ids.has(id))
  }
}
