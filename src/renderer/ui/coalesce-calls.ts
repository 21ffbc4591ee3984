/** Milliseconds. The events of one engine write arrive within this time. */
const COALESCE_MS = 10

/** Coalesces calls made close together into one `run`. */
export const coalesceCalls = (run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | null = null
  return () => {
    timer ??= setTimeout(() => {
      timer = null
      run()
    }, COALESCE_MS)
  }
}
