/** Choices for all e-mails of a sender or domain: show pictures, or a dark background. */
export const SENDER_CHOICES = { about: ['pictures', 'dark'], who: ['sender', 'domain'] } as const

/** `name` is the address or the domain. */
export interface SenderChoice {
  readonly about: (typeof SENDER_CHOICES.about)[number]
  readonly who: (typeof SENDER_CHOICES.who)[number]
  readonly name: string
}

export interface SenderPolicy {
  /** In the spelling of a choice; null if the sender is unknown, so no choice applies. */
  readonly sender: string | null
  readonly domain: string | null
  /**
   * Remote pictures. `sender`, `domain`: shown by that choice. `spam`: never shown. `forged`: the sender check failed,
   * so no choice applies and the user is asked.
   */
  readonly pictures: 'asked' | 'sender' | 'domain' | 'forged' | 'spam'
  readonly isDark: boolean
}
