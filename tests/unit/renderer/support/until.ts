/** Waits until the condition holds. @throws where it does not within two seconds, whatever the clock says */
export const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 2000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`This never came true: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
