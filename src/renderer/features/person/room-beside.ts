import { MediaQuery } from 'svelte/reactivity'

/** From this width on a person stands beside what is read (ui.md, "What the first version taught"). */
const WIDE = 'width >= 1280px'
let wide: MediaQuery | null = null

/** Whether there is room for a person beside what is read; reactive. */
export const hasRoomBeside = (): boolean => {
  // Not before there is a window.
  wide ??= new MediaQuery(WIDE)
  return wide.current
}
