import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of a turn of the engine's thread that go into work that takes many: half of a frame. */
const TURN_MS = 8

/** How many more fit into a turn, by what the last ones took. */
export const fitting = (count: number, since: number, [least, most]: readonly [number, number]): number =>
  Math.max(least, Math.min(most, Math.floor((count * TURN_MS) / (performance.now() - since))))

/** Does as much of it in each turn of the thread as half of a frame allows, until all is done or the signal ends it. */
export const inTurns = async <Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => void,
  signal: AbortSignal,
): Promise<void> => {
  let many = 10
  for (let at = 0; at < items.length && !signal.aborted;) {
    const before = performance.now()
    const next = items.slice(at, at + many)
    work(next)
    at += next.length
    many = fitting(next.length, before, [5, 100])
    await nextTurn()
  }
}
