/** What comes by the thousand is told so often: a window reads its list again each time. */
const EVERY_MS = 1_000

/** @returns what calls a function a second later, once for all calls until then */
export const tellNowAndThen = (tell: () => void, signal: AbortSignal): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | null = null
  signal.addEventListener('abort', () => {
    if (timer !== null) clearTimeout(timer)
  })
  return () => {
    if (signal.aborted) return
    timer ??= setTimeout(() => {
      timer = null
      tell()
    }, EVERY_MS)
  }
}
