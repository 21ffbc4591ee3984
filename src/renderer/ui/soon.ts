/** Milliseconds: what one write of the engine tells in several events arrives within this time. */
const TOGETHER = 10

/** A function that may be called often: `run` runs once for all calls that come together. */
export const soon = (run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | null = null
  return () => {
    timer ??= setTimeout(() => {
      timer = null
      run()
    }, TOGETHER)
  }
}
