/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are values that are replaced, never changed */
import type { Label, Thread } from '../../../shared/model.ts'
import type { MatchingThreads } from './chosen-threads.ts'
import { canMoveTo } from '../../../shared/thread-moves.ts'
import { isInScope } from '../../../shared/thread-query.ts'
import { changedState, type StateChange, type ThreadState } from '../../../shared/thread-state.ts'

/** The threads over which a change is drawn: by their IDs, or all of a list but some. */
export type DrawnThreads = readonly string[] | MatchingThreads

interface PendingChange {
  readonly id: number
  /** Null where all of a list are meant. */
  readonly threadIds: ReadonlySet<string> | null
  /** Whether it is one of the threads that are meant. */
  readonly means: (thread: Thread) => boolean
  /** Whether the change makes sense for it: where all of a list are meant, the engine leaves the others as they are. */
  readonly fits: (thread: Thread) => boolean
  readonly change: StateChange
  /** The inbox's: an added label is drawn with its name and colour. */
  readonly labels: readonly Label[]
  /** Whether the engine holds the change: what is read of it from then on has the change in it. */
  readonly isAccepted: boolean
}

export interface DrawnChange {
  /** The engine has taken it. */
  readonly accept: () => void
  /** The engine has refused it, or it is taken back: what was there before is drawn again. */
  readonly revert: () => void
}

/** Of what is seen by another way. */
export const NOTHING_DRAWN: DrawnChange = { accept: () => undefined, revert: () => undefined }

export const drawTogether = (drawn: readonly DrawnChange[]): DrawnChange => ({
  accept: () => drawn.forEach(({ accept }) => accept()),
  revert: () => drawn.forEach(({ revert }) => revert()),
})

/** What of a thread a person can change. */
export const stateOf = ({ folder, read, labels, marks }: Thread): ThreadState => ({
  folder,
  read,
  labelIds: labels.map(({ id }) => id),
  marks,
})

const meantBy = (
  threads: DrawnThreads,
  { folder }: StateChange,
): Pick<PendingChange, 'threadIds' | 'means' | 'fits'> => {
  if (!('query' in threads)) {
    const threadIds = new Set(threads)
    return { threadIds, means: ({ id }) => threadIds.has(id), fits: () => true }
  }
  const { query, upTo } = threads
  const except = new Set(threads.except)
  return {
    threadIds: null,
    means: (thread) =>
      thread.receivedAt <= upTo &&
      !except.has(thread.id) &&
      isInScope(query, { ...stateOf(thread), hasOutbound: thread.hasOutbound, onServer: thread.onServer }),
    fits: (thread) => folder === undefined || canMoveTo(thread, folder),
  }
}

/** The thread after a change. `labels` are the inbox's. */
export const withChange = <Row extends Thread>(
  thread: Row,
  { change, labels }: { readonly change: StateChange; readonly labels: readonly Label[] },
): Row => {
  const { folder, read, labelIds, marks } = changedState(stateOf(thread), change)
  const known = new Map([...labels, ...thread.labels].map((label) => [label.id, label]))
  return {
    ...thread,
    folder,
    read,
    ...(marks !== undefined && { marks }),
    labels: labelIds.flatMap((id) => known.get(id) ?? []),
  }
}

/**
 * Changes that are drawn over what was read before them, so that nobody waits for an answer to see what they did. One
 * is forgotten when a reading that began after the engine had taken it is in its place.
 */
export class PendingChanges {
  #pending = $state.raw<readonly PendingChange[]>([])
  #lastId = 0

  /** The threads over which a change is drawn; null where that may be any. */
  get threadIds(): readonly string[] | null {
    const sets = this.#pending.map(({ threadIds }) => threadIds)
    return sets.includes(null) ? null : [...new Set(sets.flatMap((ids) => [...(ids ?? [])]))]
  }

  draw(threads: DrawnThreads, change: StateChange, labels: readonly Label[]): DrawnChange {
    this.#lastId += 1
    const id = this.#lastId
    this.#pending = [...this.#pending, { id, ...meantBy(threads, change), change, labels, isAccepted: false }]
    return {
      accept: () => {
        this.#pending = this.#pending.map((each) => (each.id === id ? { ...each, isAccepted: true } : each))
      },
      revert: () => this.#forget(new Set([id])),
    }
  }

  /** A reading begins. @returns what to call when its rows are in their place */
  beginReading(): () => void {
    const inIt = new Set(this.#pending.filter(({ isAccepted }) => isAccepted).map(({ id }) => id))
    return () => {
      if (inIt.size > 0) this.#forget(inIt)
    }
  }

  /** The thread with every change that is drawn over it. */
  drawnOver<Row extends Thread>(thread: Row): Row {
    return this.#pending
      .filter(({ means, fits }) => means(thread) && fits(thread))
      .reduce((drawn, pending) => withChange(drawn, pending), thread)
  }

  /** Whether all of a list are meant by a change, and this thread with them. */
  isMeantWithAll(thread: Thread): boolean {
    return this.#pending.some(({ threadIds, means }) => threadIds === null && means(thread))
  }

  #forget(ids: ReadonlySet<number>): void {
    this.#pending = this.#pending.filter(({ id }) => !ids.has(id))
  }
}
