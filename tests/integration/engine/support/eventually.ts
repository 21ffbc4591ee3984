/** Ends what never comes, and says nothing about speed: a machine may have ten other things to do. */
const DEADLINE_MS = 60_000
const LOOK_EVERY_MS = 20

/**
 * Looks again and again until there is something to see.
 * @param moves what is other each time while things go on: the time begins anew with it, for a busy machine
 * @throws where there is nothing within a minute, with what was last seen
 */
export const eventually = async <Value>(
  look: () => Promise<Value> | Value,
  isThere: (value: Value) => boolean,
  deadline = DEADLINE_MS,
  moves: (value: Value) => string | null = () => null,
): Promise<Value> => {
  let end = performance.now() + deadline
  let before: string | null = null
  for (;;) {
    const value = await look()
    if (isThere(value)) return value
    const now = moves(value)
    if (now !== before) end = performance.now() + deadline
    before = now
    if (performance.now() > end) throw new Error(`Still ${JSON.stringify(value)}.`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
