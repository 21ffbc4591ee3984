/** Settings for all e-mails from a sender or domain: always show pictures, or use a dark background. */
export const SENDER_CHOICES = { about: ['pictures', 'dark'], who: ['sender', 'domain'] } as const

/** A setting for one sender or domain. `name` is the address or the domain. */
export interface SenderChoice {
  readonly about: (typeof SENDER_CHOICES.about)[number]
  readonly who: (typeof SENDER_CHOICES.who)[number]
  readonly name: string
}

export interface SenderPolicy {
  /** Address in the form used by choices; null if the sender is unknown, so no choice applies. */
  readonly sender: string | null
  readonly domain: string | null
  /**
   * How remote pictures are handled. `asked`: only after asking the user. `sender`, `domain`: shown because of that
   * choice. `spam`: never shown. `forged`: the sender check failed, so no choice applies and the user is asked.
   */
  readonly pictures: 'asked' | 'sender' | 'domain' | 'forged' | 'spam'
  readonly isDark: boolean
}
