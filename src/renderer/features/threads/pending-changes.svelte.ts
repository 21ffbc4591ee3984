/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are values that are replaced, never changed */
import type { Label, Thread } from '../../../shared/model.ts'
import { applyPatch, type ThreadPatch } from './thread-patch.ts'

interface PendingChange {
  readonly id: number
  readonly threadIds: ReadonlySet<string>
  readonly patch: ThreadPatch
  /** The inbox's: an added label is drawn with its name and colour. */
  readonly labels: readonly Label[]
  /** Whether the engine holds the change: what is read of it from then on has the change in it. */
  readonly isAccepted: boolean
}

/** A change that is drawn before the engine has answered. */
export interface DrawnChange {
  /** The engine has taken it. */
  readonly accept: () => void
  /** The engine has refused it, or it is taken back: what was there before is drawn again. */
  readonly revert: () => void
}

/**
 * Changes that are drawn over what was read before them, so that nobody waits for an answer to see what they did. One
 * is forgotten when a reading that began after the engine had taken it is in its place.
 */
export class PendingChanges {
  #pending = $state.raw<readonly PendingChange[]>([])
  #lastId = 0

  get all(): readonly Pick<PendingChange, 'threadIds' | 'patch'>[] {
    return this.#pending
  }

  draw(threadIds: readonly string[], patch: ThreadPatch, labels: readonly Label[]): DrawnChange {
    this.#lastId += 1
    const id = this.#lastId
    this.#pending = [...this.#pending, { id, threadIds: new Set(threadIds), patch, labels, isAccepted: false }]
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
  patched<Row extends Thread>(thread: Row): Row {
    return this.#pending
      .filter(({ threadIds }) => threadIds.has(thread.id))
      .reduce((drawn, { patch, labels }) => applyPatch(drawn, patch, labels), thread)
  }

  #forget(ids: ReadonlySet<number>): void {
    this.#pending = this.#pending.filter(({ id }) => !ids.has(id))
  }
}
