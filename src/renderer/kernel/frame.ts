/** Window-frame actions for commands that don't act on mail, such as focusing the search bar. */
export interface FrameActions {
  readonly focusSearch: () => void
  readonly showShortcuts: () => void
  readonly showPalette: () => void
  readonly showAbout: () => void
  readonly showConnectionTest: () => void
  readonly showFirstSteps: () => void
  readonly focusList: () => void
  /** Focuses the list only if focus is outside the list and the reading pane: in the side bar, or nowhere. */
  readonly focusListFromOutside: () => void
}
