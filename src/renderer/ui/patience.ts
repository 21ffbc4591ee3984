/** Milliseconds after which a person wants to know what is waited for, and a way out. */
const PATIENCE = 4000

/** An attachment for what stands in the place of something awaited: `tell` is called where it stands there for long. */
export const whenLong = (tell: () => void) => (): (() => void) => {
  const timer = setTimeout(tell, PATIENCE)
  return () => clearTimeout(timer)
}
