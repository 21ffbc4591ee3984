import { createContext } from 'svelte'

/** Whether the e-mail that is drawn was sent for another one, which it carries: that is not folded away. */
export const [useIsForward, provideIsForward] = createContext<() => boolean>()
