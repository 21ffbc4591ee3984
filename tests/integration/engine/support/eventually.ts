const DEADLINE_MS = 20_000
const LOOK_EVERY_MS = 20

/**
 * Looks again and again until there is something to see.
 * @throws where there is nothing within 20 seconds, with what was last seen
 */
export const eventually = async <Value>(
  look: () => Promise<Value> | Value,
  isThere: (value: Value) => boolean,
  deadline = DEADLINE_MS,
): Promise<Value> => {
  const end = performance.now() + deadline
  for (;;) {
    const value = await look()
    if (isThere(value)) return value
    if (performance.now() > end) throw new Error(`Still ${JSON.stringify(value)}.`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
