/** Milliseconds before a wait needs an explanation and a way out. */
const PATIENCE = 4000

/** An attachment for a placeholder: calls `tell` if it stays too long. */
export const whenLong = (tell: () => void) => (): (() => void) => {
  const timer = setTimeout(tell, PATIENCE)
  return () => clearTimeout(timer)
}
