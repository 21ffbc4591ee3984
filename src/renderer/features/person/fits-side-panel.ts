import { MediaQuery } from 'svelte/reactivity'

/** Minimum window width for the contact panel to fit next to the mail. */
const WIDE = 'width >= 1280px'
let wide: MediaQuery | null = null

/** True if the contact panel fits next to the mail. Reactive. */
export const fitsSidePanel = (): boolean => {
  // Created lazily, since it needs a window.
  wide ??= new MediaQuery(WIDE)
  return wide.current
}
