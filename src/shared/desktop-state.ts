/** What the desktop's system has been told about Linnet; each of it only where a person has asked for it. */
export interface DesktopState {
  readonly system: 'macOS' | 'Windows' | 'Linux'
  /** Whether Linnet starts when the person signs in to this computer. */
  readonly startsAtLogin: boolean
  /** Whether the system opens `mailto:` links with Linnet. */
  readonly opensMailLinks: boolean
}
