import { setImmediate as nextTurn } from 'node:timers/promises'
import { atMost } from './at-most.ts'

/** Milliseconds of a turn of the engine's thread for work that takes many: a third of a frame. */
const TURN_MS = 5
/** Items that are worked on between two looks at the clock. */
const AT_ONCE = 10

/** @returns what gives way to everything else where this turn has taken long enough */
export const createBreathing = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}

/** Does as much of it in each turn of the thread as a third of a frame allows, until all is done or the signal ends it. */
export const inTurns = async <Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => void,
  signal: AbortSignal,
): Promise<void> => {
  const breathe = createBreathing()
  for (let at = 0; at < items.length && !signal.aborted; at += AT_ONCE) {
    work(items.slice(at, at + AT_ONCE))
    await breathe()
  }
  await nextTurn()
}

/** How many more fit into a turn, by what the last ones took; a quick one does not make the next one long. */
export const fitting = (count: number, since: number, most: number): number =>
  Math.max(1, Math.min(most, count * 2, Math.floor((count * TURN_MS) / (performance.now() - since))))

/** Runs heavy work in pieces, each in its own turn of the event loop: a screen's question is answered in between. */
export type InTurn = <Value>(work: () => Value) => Promise<Value>

export const createTurns = (): InTurn => {
  const inOrder = atMost(1)
  return (work) =>
    inOrder(async () => {
      await nextTurn()
      return work()
    })
}
