/** `room`: the user's quota is used up. `disk`: the disk is full. `trouble`: the platform failed. */
export interface StoredMailPause {
  readonly why: 'room' | 'disk' | 'offline' | 'key' | 'trouble'
  /** User-facing. */
  readonly message: string
}

/** Mail stored locally before the platform drops it. Each e-mail counts once, however many lists show it. */
export interface StoredMailState {
  /** Days back; null for all. */
  readonly days: number | null
  /** Limit for files, in bytes; null for none, 0 to store only opened files. */
  readonly maxBytes: number | null
  /** E-mails stored with everything that the platform provides. */
  readonly kept: number
  /** Counted in `kept`: the platform does not provide their raw source, or an attachment. */
  readonly incomplete: number
  /** Stored e-mails that the platform no longer has. */
  readonly localOnly: number
  /** E-mails within the chosen depth that are still to be checked. */
  readonly left: number
  /** E-mails stored as text only, for lack of room for their files. */
  readonly withoutFiles: number
  /** E-mails that the platform dropped before their text was stored. */
  readonly lost: number
  /** Size of the mail and its metadata. */
  readonly bytes: number
  /** Size of raw sources and attachments. */
  readonly fileBytes: number
  readonly paused: StoredMailPause | null
  /** Expected amounts for each available depth; `bytes` is estimated from stored mail, null if that's too little. */
  readonly depths: readonly { readonly days: number | null; readonly emails: number; readonly bytes: number | null }[]
}
