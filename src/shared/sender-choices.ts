/** What a person can choose for all e-mails of a sender or domain: to show pictures, or a dark background. */
export const SENDER_CHOICES = { about: ['pictures', 'dark'], who: ['sender', 'domain'] } as const

/** A choice for all e-mails of a sender or a domain. `name` is the address or the domain. */
export interface SenderChoice {
  readonly about: (typeof SENDER_CHOICES.about)[number]
  readonly who: (typeof SENDER_CHOICES.who)[number]
  readonly name: string
}

/** The choices for the sender of an e-mail. */
export interface SenderPolicy {
  /** In the spelling of a choice; null if the sender is unknown: then no choice applies. */
  readonly sender: string | null
  readonly domain: string | null
  /**
   * For remote pictures. `sender`, `domain`: shown, by that choice. `spam`: never shown. `forged`: the e-mail failed the
   * check of its sender, so that no choice applies to it, and the person is asked.
   */
  readonly pictures: 'asked' | 'sender' | 'domain' | 'forged' | 'spam'
  /** Whether its e-mails are shown on a dark background. */
  readonly isDark: boolean
}
