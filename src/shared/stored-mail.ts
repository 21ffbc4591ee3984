/**
 * Why storing mail is paused. `room`: the user's quota is used up. `disk`: the disk is full. `trouble`: the platform
 * failed.
 */
export interface StoredMailPause {
  readonly why: 'room' | 'disk' | 'offline' | 'key' | 'trouble'
  /** User-facing message. */
  readonly message: string
}

/**
 * Progress of storing mail locally before the platform drops it. Each e-mail counts once, however many lists show it.
 */
export interface StoredMailState {
  /** How many days back to store mail; null for all. */
  readonly days: number | null
  /** Limit for files in bytes; null for no limit, 0 to store only opened files. */
  readonly maxBytes: number | null
  /** E-mails stored with everything that the platform provides. */
  readonly kept: number
  /** E-mails included in `kept` whose raw source or attachment the platform does not provide. */
  readonly incomplete: number
  /** Stored e-mails that the platform no longer has. */
  readonly localOnly: number
  /** E-mails within the chosen depth that are still to be checked. */
  readonly left: number
  /** E-mails stored as text only, because there is no room for their files. */
  readonly withoutFiles: number
  /** E-mails that the platform dropped before their text was stored. */
  readonly lost: number
  /** Size of the stored mail and its metadata in bytes. */
  readonly bytes: number
  /** Size of raw sources and attachments in bytes. */
  readonly fileBytes: number
  readonly paused: StoredMailPause | null
  /**
   * Expected amounts for each choice of `days`. `bytes` is estimated from the stored mail; null if too little is
   * stored.
   */
  readonly depths: readonly { readonly days: number | null; readonly emails: number; readonly bytes: number | null }[]
}
