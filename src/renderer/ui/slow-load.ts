/** Milliseconds before a wait needs an explanation and a way out. */
const SLOW_LOAD_MS = 4000

/** An attachment for a placeholder: calls `onSlow` if it stays too long. */
export const onSlowLoad = (onSlow: () => void) => (): (() => void) => {
  const timer = setTimeout(onSlow, SLOW_LOAD_MS)
  return () => clearTimeout(timer)
}
