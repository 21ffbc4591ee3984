import { MediaQuery } from 'svelte/reactivity'

/** From this width on a person is shown beside the mail (ui.md, "What the first version taught"). */
const WIDE = 'width >= 1280px'
let wide: MediaQuery | null = null

/** True if a person fits beside the mail; reactive. */
export const hasRoomBeside = (): boolean => {
  // Not before there is a window.
  wide ??= new MediaQuery(WIDE)
  return wide.current
}
