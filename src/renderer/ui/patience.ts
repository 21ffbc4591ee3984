/** Milliseconds after which a person wants to know what is waited for, and a way out. */
const PATIENCE = 4000

/** An attachment for a placeholder: `tell` is called if it stays for long. */
export const whenLong = (tell: () => void) => (): (() => void) => {
  const timer = setTimeout(tell, PATIENCE)
  return () => clearTimeout(timer)
}
