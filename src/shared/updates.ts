/** Updates of Linnet; docs/updates.md gives the reason for each rule. */

/**
 * Why this copy doesn't update itself: it runs from source; it was built without a list of versions; it is the portable
 * app for Windows, a file that the user placed somewhere; or somebody else maintains its folder or system package.
 */
export type NoUpdateReason = 'development' | 'no-list' | 'portable' | 'installed-otherwise'

export const NO_UPDATE_MESSAGES: Readonly<Record<NoUpdateReason, string>> = {
  development: 'This copy runs from source. To update Linnet, update the source code.',
  'no-list': 'This copy can’t update itself. Get a newer version from where you got this one.',
  portable: 'The portable app can’t update itself. Replace it with a newer version.',
  'installed-otherwise': 'Your system’s package manager updates this copy.',
}

export type UpdateStep =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  /** @property progress from 0 to 1 */
  | { readonly kind: 'downloading'; readonly version: string; readonly progress: number }
  /** Downloaded and verified. Installed once the user agrees. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface UpdateState {
  readonly version: string
  readonly unable: NoUpdateReason | null
  /** When the list of versions was last fetched, milliseconds since the epoch; null for never. */
  readonly checkedAt: number | null
  /** The update server, shown to the user before the first request; null if there is none. */
  readonly server: string | null
  readonly step: UpdateStep
}
