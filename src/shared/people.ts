/** Contacts, and what is known locally about people. All times are in milliseconds since the epoch, UTC. */
import type { Freshness, InThread, SentEmail, Thread } from './model.ts'
import type { SuppressionOfAddress } from './suppressions.ts'

export interface Contact {
  /** The normalised address until the contact exists on the platform. */
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** Null until the contact exists on the platform. */
  readonly createdAt: number | null
  readonly unsubscribed: boolean
  readonly properties: Readonly<Record<string, PropertyValue>>
  /** Another contact has the same address, in any spelling. */
  readonly isDuplicate?: true
}

export type PropertyValue = string | number | boolean | null

/** Omitted fields stay; null removes a value. */
export interface ContactChange {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined
}

export interface ContactProperty {
  readonly id: string
  readonly key: string
  /** `string`, `number`, or a type that the platform has added since. */
  readonly type: string
  /** The platform's replacement for a missing value. */
  readonly fallback: PropertyValue
}

export interface ContactCatalog {
  readonly properties: readonly ContactProperty[]
  /** Newest first. */
  readonly segments: readonly Segment[]
  /** Newest first, including changes in the outbox. */
  readonly topics: readonly Topic[]
  readonly freshness: Freshness
}

export interface TopicSubscription {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** `opt_in`, `opt_out`, a state that the platform has added since, or empty if unknown. */
  readonly subscription: string
  /**
   * The topic's default, if known. A different `subscription` was chosen for this contact; for an equal one, the
   * platform doesn't say whether it was chosen (platform facts 5).
   */
  readonly byDefault?: string
}

/** Platform facts 5. */
export const TOPIC_LIMITS = { name: 50, description: 200 } as const

export interface TopicAppearance {
  readonly name: string
  readonly description: string | null
  /** `public` topics appear where people choose theirs, `private` ones don't; empty if unknown. */
  readonly visibility: string
  /** `opt_in` or `opt_out` for contacts without a choice. Never changes; empty if unknown. */
  readonly byDefault: string
}

export type TopicChange = Partial<Omit<TopicAppearance, 'byDefault'>>

export interface Topic extends TopicAppearance {
  /** `new-…` until the platform assigns one. */
  readonly id: string
  /** Null until the topic exists on the platform. */
  readonly createdAt: number | null
}

export interface Segment {
  readonly id: string
  readonly name: string
}

export interface PersonName {
  readonly firstName: string | null
  readonly lastName: string | null
}

export interface MailExtent {
  readonly emails: number
  /** Times of the oldest and the newest e-mail. */
  readonly first: number
  readonly last: number
}

export interface MailWithPerson {
  /** Null for none. Many e-mails count both in threads and in an account-wide list. */
  readonly threads: MailExtent | null
  readonly received: MailExtent | null
  readonly sent: MailExtent | null
  /** False while older mail is still to be fetched or indexed, and if there are more e-mails than are counted. */
  readonly isAll: boolean
}

export interface SentToPerson extends SentEmail {
  /** Includes the person; the delivery may be about any of them (platform facts 6). */
  readonly recipients: number
}

export interface Person {
  /** As requested. */
  readonly address: string
  /** Null unless known as a contact; contacts added locally count at once. */
  readonly contact: Contact | null
  readonly contactsFreshness: Freshness
  /** ID for topics and `topics.changed`: the contact's, or else the address. */
  readonly contactId: string
  /** Null if not stored locally. */
  readonly topics: { readonly topics: readonly TopicSubscription[]; readonly freshness: Freshness } | null
  /** Null if not stored locally. */
  readonly segments: { readonly segments: readonly Segment[]; readonly freshness: Freshness } | null
  readonly suppressed: SuppressionOfAddress
  /** Latest threads, from all inboxes and folders. */
  readonly threads: readonly Thread[]
  readonly mail: MailWithPerson
  /** Sent by the account, from an inbox or by a program; newest first. */
  readonly sent: readonly InThread<SentToPerson>[]
}

/** Limits of a `Person`. */
export const PERSON_ROWS = { threads: 8, sent: 10 } as const
