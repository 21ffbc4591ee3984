/** Calls once after a time in milliseconds, and keeps no process alive for it. @returns what cancels it */
export const callAfter = (milliseconds: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, milliseconds)
  timer.unref()
  return () => clearTimeout(timer)
}
