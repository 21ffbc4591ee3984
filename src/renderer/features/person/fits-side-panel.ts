import { MediaQuery } from 'svelte/reactivity'

/** Minimum width for a person next to the mail (ui.md, "What the first version taught"). */
const WIDE = 'width >= 1280px'
let wide: MediaQuery | null = null

/** True if a person fits next to the mail. Reactive. */
export const fitsSidePanel = (): boolean => {
  // Created lazily, as it needs a window.
  wide ??= new MediaQuery(WIDE)
  return wide.current
}
