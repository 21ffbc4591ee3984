import { setImmediate as nextTurn } from 'node:timers/promises'
import { limitConcurrency } from './limit-concurrency.ts'

/** Time slice for long work in the engine's thread, in milliseconds: a third of a frame. */
const TURN_MS = 5
const AT_ONCE = 10

/** @returns a function that yields to the event loop if the time slice is used up */
export const createYielder = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}

/** Processes items in slices of a third of a frame, until done or aborted. */
export const processInSlices = async <Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => void,
  signal: AbortSignal,
): Promise<void> => {
  const yieldTurn = createYielder()
  for (let at = 0; at < items.length && !signal.aborted; at += AT_ONCE) {
    work(items.slice(at, at + AT_ONCE))
    await yieldTurn()
  }
  await nextTurn()
}

/** Runs heavy work in pieces, each in its own turn of the event loop, so that windows get responses in between. */
export type TurnRunner = <Value>(work: () => Value) => Promise<Value>

export const createTurnRunner = (): TurnRunner => {
  const inOrder = limitConcurrency(1)
  return (work) =>
    inOrder(async () => {
      await nextTurn()
      return work()
    })
}

/** Runs all steps in order, even if some fail. @throws the first error */
export const runInOrder = async (steps: readonly (() => Promise<void> | void)[]): Promise<void> => {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  if (failures.length > 0) throw failures[0]
}
