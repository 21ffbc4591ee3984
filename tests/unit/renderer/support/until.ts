/** A safety net, not a speed limit. */
const DEADLINE_MS = 120_000

/** Waits in real time. @throws after two minutes */
export const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + DEADLINE_MS
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`This never came true: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
