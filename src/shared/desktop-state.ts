/** Linnet's registrations in the operating system, each made only at the user's request. */
export interface DesktopState {
  readonly system: 'macOS' | 'Windows' | 'Linux'
  readonly startsAtLogin: boolean
  readonly opensMailLinks: boolean
}
