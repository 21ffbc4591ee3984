/** Contacts, and data about people that is known locally. All times are in milliseconds since the epoch, UTC. */
import type { Freshness, WithThread, SentEmail, Thread } from './model.ts'
import type { AddressSuppression } from './suppressions.ts'
import { toVisibleText } from './visible-text.ts'

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
  /** True if another contact has the same address, in any spelling. */
  readonly isDuplicate?: true
}

export type PropertyValue = string | number | boolean | null

/** Omitted fields are unchanged; null removes a value. */
export interface ContactChange {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  readonly properties?: Readonly<Record<string, PropertyValue>> | undefined
}

export interface ContactProperty {
  readonly id: string
  readonly key: string
  /** `string`, `number`, or a type that the platform added later. */
  readonly type: string
  /** Value that the platform uses if a contact has none. */
  readonly fallback: PropertyValue
}

export interface ContactCatalog {
  readonly properties: readonly ContactProperty[]
  /** Segments, newest first. */
  readonly segments: readonly Segment[]
  /** Topics, newest first, including changes in the outbox. */
  readonly topics: readonly Topic[]
  readonly freshness: Freshness
}

export interface TopicSubscription {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** `opt_in`, `opt_out`, a state that the platform added later, or empty if unknown. */
  readonly subscription: string
  /**
   * The topic's default, if known. If `subscription` differs, it was chosen for this contact; if it is equal, the
   * platform doesn't report whether it was chosen (platform.md 19.3).
   */
  readonly byDefault?: string
}

/** Limits in characters (platform.md 19.1). */
export const TOPIC_LIMITS = { name: 50, description: 200 } as const

export interface TopicSettings {
  readonly name: string
  readonly description: string | null
  /** Recipients can see and choose `public` topics, but not `private` ones; empty if unknown. */
  readonly visibility: string
  /** `opt_in` or `opt_out`, for contacts that made no choice. Never changes; empty if unknown. */
  readonly byDefault: string
}

export type TopicChange = Partial<Omit<TopicSettings, 'byDefault'>>

export interface Topic extends TopicSettings {
  /** Starts with `new-` until the platform assigns an ID. */
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

export interface MailStats {
  readonly emails: number
  /** Times of the oldest and the newest e-mail. */
  readonly first: number
  readonly last: number
}

export interface MailWithPerson {
  /** Null if there is none. Many e-mails are counted twice: in threads and in an account-wide list. */
  readonly threads: MailStats | null
  readonly received: MailStats | null
  readonly sent: MailStats | null
  /** False while older mail is still to be fetched or indexed, or if there are more e-mails than were counted. */
  readonly isAll: boolean
}

export interface EmailSentToPerson extends SentEmail {
  /** Number of recipients, including this person. The delivery event may concern any of them (platform.md 20.9). */
  readonly recipients: number
}

export interface Person {
  /** The address as requested. */
  readonly address: string
  /** Null if the person isn't a known contact. Contacts added locally count at once. */
  readonly contact: Contact | null
  readonly contactsFreshness: Freshness
  /** ID to use for topics and `topics.changed`: the contact's ID, or else the address. */
  readonly contactId: string
  /** Null if not stored locally. */
  readonly topics: { readonly topics: readonly TopicSubscription[]; readonly freshness: Freshness } | null
  /** Null if not stored locally. */
  readonly segments: { readonly segments: readonly Segment[]; readonly freshness: Freshness } | null
  readonly suppressed: AddressSuppression
  /** The latest threads, from all inboxes and folders. */
  readonly threads: readonly Thread[]
  readonly mail: MailWithPerson
  /** E-mails that the account sent to the person, from an inbox or by a program; newest first. */
  readonly sent: readonly WithThread<EmailSentToPerson>[]
}

export const PERSON_LIMITS = { threads: 8, sent: 10 } as const

/** Splits a typed name into first and last name, as the platform stores them: `Lee, Ann` becomes Ann and Lee. */
export const splitPersonName = (name: string): PersonName => {
  const [before = '', after] = toVisibleText(name).split(/\s*,\s*/, 2)
  if (after !== undefined && after !== '') return { firstName: after, lastName: before }
  const words = before.split(/\s+/).filter((word) => word !== '')
  if (words.length < 2) return { firstName: words[0] ?? null, lastName: null }
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? null }
}
