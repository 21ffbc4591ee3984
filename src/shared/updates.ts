/** How this Linnet becomes the next one; where each rule comes from: docs/updates.md. */

/**
 * Why a Linnet does not replace itself: it runs from its sources; it was built without a list of versions to ask for; Windows'
 * portable one is a file that a person put somewhere; a directory or the system's own package is kept up to date by others.
 */
export type NoUpdates = 'development' | 'no-list' | 'portable' | 'installed-otherwise'

/** Why a Linnet does not replace itself, and who does. */
export const NO_UPDATES_WORDS: Readonly<Record<NoUpdates, string>> = {
  development: 'This copy runs from source. Update the source to update it.',
  'no-list': 'This copy was built without updates. Get a newer one where you got this one.',
  portable: 'Replace the portable app with a newer one yourself.',
  'installed-otherwise': 'Your system’s package manager updates this copy.',
}

export type UpdateStep =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  /** @property progress from 0 to 1 */
  | { readonly kind: 'downloading'; readonly version: string; readonly progress: number }
  /** It is on this computer, and was checked: it takes the place of this one when a person says so. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface UpdateState {
  readonly version: string
  readonly unable: NoUpdates | null
  /** When the list of versions was last read; null where it never was. Milliseconds since the epoch. */
  readonly checkedAt: number | null
  /** Who is asked, to be said before anybody is. Null where nobody is. */
  readonly server: string | null
  readonly step: UpdateStep
}
