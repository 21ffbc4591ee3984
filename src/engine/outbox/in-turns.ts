import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of a turn of the engine's thread that go into work that takes many: a third of a frame. */
const TURN_MS = 5
/** Items that are worked on between two looks at the clock. */
const AT_ONCE = 10

/** How many more fit into a turn, by what the last ones took; a quick one does not make the next one long. */
export const fitting = (count: number, since: number, most: number): number =>
  Math.max(1, Math.min(most, count * 2, Math.floor((count * TURN_MS) / (performance.now() - since))))

/** Does as much of it in each turn of the thread as a third of a frame allows, until all is done or the signal ends it. */
export const inTurns = async <Item>(
  items: readonly Item[],
  work: (some: readonly Item[]) => void,
  signal: AbortSignal,
): Promise<void> => {
  let since = performance.now()
  for (let at = 0; at < items.length && !signal.aborted; at += AT_ONCE) {
    work(items.slice(at, at + AT_ONCE))
    if (performance.now() - since < TURN_MS) continue
    await nextTurn()
    since = performance.now()
  }
  await nextTurn()
}
