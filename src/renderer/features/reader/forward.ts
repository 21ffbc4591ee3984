import { createContext } from 'svelte'

/** True if the displayed e-mail was sent to forward another one, which is then not folded. */
export const [useIsForward, provideIsForward] = createContext<() => boolean>()
