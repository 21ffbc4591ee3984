/** What the frame does for commands that are about its parts rather than about mail. */
export interface Frame {
  readonly focusSearch: () => void
  readonly showShortcuts: () => void
  readonly showPalette: () => void
  readonly showAbout: () => void
  readonly showConnectionTest: () => void
  readonly showFirstSteps: () => void
  readonly focusList: () => void
  /** The same where the focus is beside the list and what is open: in the side bar, or nowhere. */
  readonly focusListFromOutside: () => void
}
