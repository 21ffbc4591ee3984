/** Contacts, and what is known of a person on this computer. Every time is in milliseconds since the epoch, UTC. */
import type { Freshness, InThread, SentEmail, Thread } from './model.ts'
import type { SuppressionOfAddress } from './suppressions.ts'

export interface Contact {
  /** For somebody who is not added on the platform yet: their normalised address. */
  readonly id: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  /** Milliseconds since the epoch; null for somebody who was added here and is unknown to the platform so far. */
  readonly createdAt: number | null
  readonly unsubscribed: boolean
  readonly properties: Readonly<Record<string, PropertyValue>>
  /** Another contact has the same address, written in another way or not; left out where none has. */
  readonly isDuplicate?: true
}

export type PropertyValue = string | number | boolean | null

/** What is changed of a contact: what is left out stays as it is, and null takes a value away. */
export interface ContactChange {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined
}

/** A property that contacts of the account can have. */
export interface ContactProperty {
  readonly id: string
  readonly key: string
  /** `string`, `number`, or a type that the platform has added since. */
  readonly type: string
  /** What the platform puts in the place of a value that a contact does not have. */
  readonly fallback: PropertyValue
}

/** What contacts of the account can have, be in and subscribe to, as the platform lists it. */
export interface ContactCatalog {
  readonly properties: readonly ContactProperty[]
  /** Newest first. */
  readonly segments: readonly Segment[]
  /** Newest first, with what waits in the outbox laid over. */
  readonly topics: readonly Topic[]
  readonly freshness: Freshness
}

export interface TopicSubscription {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** `opt_in`, `opt_out`, a state that the platform has added since, or empty if it is not known. */
  readonly subscription: string
  /**
   * What the topic is for contacts who have chosen nothing; left out where that is not known. A state that differs was chosen
   * for this contact; of one that is the same the platform does not say whether it was chosen (platform facts 5).
   */
  readonly byDefault?: string
}

/** The bounds of a topic's texts (platform facts 5). */
export const TOPIC_LIMITS = { name: 50, description: 200 } as const

/** What a topic is made as. */
export interface TopicLook {
  readonly name: string
  /** Null for none. */
  readonly description: string | null
  /** `public`: people see it where they choose their topics, `private`; empty where that is not known. */
  readonly visibility: string
  /** What it is for contacts who have chosen nothing, `opt_in` or `opt_out`: it never changes. Empty where that is not known. */
  readonly byDefault: string
}

/** What is changed of a topic: what is left out stays as it is. */
export type TopicChange = Partial<Omit<TopicLook, 'byDefault'>>

/** A topic of the account. */
export interface Topic extends TopicLook {
  /** `new-…` until the platform has given it one. */
  readonly id: string
  /** Milliseconds since the epoch; null for one that the platform does not have yet. */
  readonly createdAt: number | null
}

/** A segment of contacts. */
export interface Segment {
  readonly id: string
  readonly name: string
}

/** The name with which a person is added to the contacts. */
export interface PersonName {
  readonly firstName: string | null
  readonly lastName: string | null
}

/** How much mail with somebody is on this computer. */
export interface MailExtent {
  readonly emails: number
  /** Times of the oldest and the newest of it, milliseconds since the epoch. */
  readonly first: number
  readonly last: number
}

/** The mail with somebody, as known on this computer. */
export interface MailWithPerson {
  /** In threads, and in the account's own received and sent e-mails; null for none. Many are in two of these. */
  readonly threads: MailExtent | null
  readonly received: MailExtent | null
  readonly sent: MailExtent | null
  /**
   * Whether this is all of it: false while older mail has yet to be fetched or indexed, and for somebody with more
   * e-mails than are counted.
   */
  readonly isAll: boolean
}

/** An e-mail that was sent to somebody, and perhaps to others with them. */
export interface SentToPerson extends SentEmail {
  /** Number of recipients, theirs included: the delivery may be about any of them (platform facts 6). */
  readonly recipients: number
}

/** All that is known about a person, by their address. */
export interface Person {
  /** As it was asked for. */
  readonly address: string
  /** Null for somebody who is not known to be a contact; one who was added here is a contact at once. */
  readonly contact: Contact | null
  /** When the platform last confirmed the list of contacts. */
  readonly contactsFreshness: Freshness
  /** Their ID for topics and `topics.changed`: the contact's, or the address if there is none. */
  readonly contactId: string
  /** Null if not on this computer. */
  readonly topics: { readonly topics: readonly TopicSubscription[]; readonly freshness: Freshness } | null
  /** Null if not on this computer. */
  readonly segments: { readonly segments: readonly Segment[]; readonly freshness: Freshness } | null
  /** Whether the platform sends nothing to them. */
  readonly suppressed: SuppressionOfAddress
  /** The latest threads with them, in all inboxes and folders. */
  readonly threads: readonly Thread[]
  readonly mail: MailWithPerson
  /** Sent to them by the account, from an inbox or by a program, newest first. */
  readonly sent: readonly InThread<SentToPerson>[]
}

/** The most threads and sent e-mails of a `Person`. */
export const PERSON_ROWS = { threads: 8, sent: 10 } as const
