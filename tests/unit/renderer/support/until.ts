/** Ends what never comes, and says nothing about speed. */
const DEADLINE_MS = 20_000

/** Waits until the condition holds, whatever the clock says. @throws where it does not for twenty seconds */
export const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + DEADLINE_MS
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`This never came true: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
