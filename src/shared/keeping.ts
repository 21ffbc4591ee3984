/** Why no mail is kept for now. `room`: what the person chose is used up; `disk`: it takes no more; `trouble`: the platform's. */
export interface KeepingPause {
  readonly why: 'room' | 'disk' | 'offline' | 'key' | 'trouble'
  /** For a person. */
  readonly message: string
}

/** What is kept of an account's mail before the platform drops it. Each e-mail counts once, however many lists show it. */
export interface KeepingState {
  /** How many days back; null for all. */
  readonly days: number | null
  /** The most bytes of files; null for no bound, 0 where only what is opened is kept. */
  readonly mostBytes: number | null
  /** E-mails that are here with all that the platform gives of them. */
  readonly kept: number
  /** Of those: the platform does not give their original, or an attachment. */
  readonly inPart: number
  /** E-mails that are here and that the platform does not have any more. */
  readonly onlyHere: number
  /** Still to be looked at, of the chosen depth. */
  readonly left: number
  /** Here as text alone, as there is no room for their files. */
  readonly withoutFiles: number
  /** The platform dropped them before their text was here. */
  readonly lost: number
  /** Of the mail and all that is known of it. */
  readonly bytes: number
  /** Of originals and attachments. */
  readonly fileBytes: number
  readonly paused: KeepingPause | null
  /** What each depth on offer would be; `bytes` is reckoned from what is kept, null where that says nothing yet. */
  readonly depths: readonly { readonly days: number | null; readonly emails: number; readonly bytes: number | null }[]
}
