import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export type Subscription = 'opt_in' | 'opt_out'
export type PropertyType = 'string' | 'number'
export type PropertyValues = Readonly<Record<string, string | number>>

export interface ContactRow {
  readonly seq: number
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly unsubscribed: number
  /** JSON of {@link PropertyValues}. */
  readonly properties: string
  readonly created_at: number
}

export interface PropertyRow {
  readonly seq: number
  readonly id: string
  readonly key: string
  readonly type: PropertyType
  /** JSON of a string, a number or null. */
  readonly fallback_value: string | null
  readonly created_at: number
}

export interface TopicRow {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly default_subscription: Subscription
  readonly visibility: 'public' | 'private'
  readonly created_at: number
}

export interface SegmentRow {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly created_at: number
}

/** `undefined` fields stay unchanged. */
export interface ContactChange {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly unsubscribed?: boolean | undefined
  /** `null` removes a value. */
  readonly properties?: Readonly<Record<string, string | number | null>> | undefined
}

/** Finds a contact by ID or e-mail address, which share a path parameter (platform.md 18.5). */
export function findContact(db: Database, idOrEmail: string): ContactRow | undefined {
  return db.get<ContactRow>('SELECT * FROM contacts WHERE id = ? OR email = ?', idOrEmail, idOrEmail)
}

/** Adds a contact or changes the one with this address (platform.md 18.4). @param createdAt milliseconds since 1970 */
export function upsertContact(db: Database, email: string, change: ContactChange, createdAt: number): ContactRow {
  const known = findContact(db, email)
  if (known) return changeContact(db, known, change)
  const id = randomUUID()
  db.run(
    'INSERT INTO contacts (id, email, unsubscribed, properties, created_at) VALUES (?, ?, 0, ?, ?)',
    id,
    email,
    '{}',
    createdAt,
  )
  return changeContact(db, requireRow(findContact(db, id)), change)
}

export function changeContact(db: Database, contact: ContactRow, change: ContactChange): ContactRow {
  db.run(
    'UPDATE contacts SET first_name = ?, last_name = ?, unsubscribed = ?, properties = ? WHERE seq = ?',
    change.firstName === undefined ? contact.first_name : change.firstName,
    change.lastName === undefined ? contact.last_name : change.lastName,
    change.unsubscribed === undefined ? contact.unsubscribed : Number(change.unsubscribed),
    JSON.stringify(mergedProperties(contact, change)),
    contact.seq,
  )
  return requireRow(findContact(db, contact.id))
}

function mergedProperties(contact: ContactRow, { properties = {} }: ContactChange): PropertyValues {
  const merged = new Map<string, string | number>(Object.entries(listPropertyValues(contact)))
  for (const [key, value] of Object.entries(properties)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

/** The contact's own values by property key, without fallbacks. */
export function listPropertyValues(contact: ContactRow): PropertyValues {
  return JSON.parse(contact.properties) as PropertyValues
}

/** All properties in order of creation. */
export function loadAllProperties(db: Database): readonly PropertyRow[] {
  return db.all<PropertyRow>('SELECT * FROM contact_properties ORDER BY seq')
}

export function insertProperty(
  db: Database,
  property: { readonly key: string; readonly type: PropertyType; readonly fallbackValue: string | number | null },
  now: number,
): string {
  const id = randomUUID()
  db.run(
    'INSERT INTO contact_properties (id, key, type, fallback_value, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    property.key,
    property.type,
    JSON.stringify(property.fallbackValue),
    now,
  )
  return id
}

export function findTopic(db: Database, id: string): TopicRow | undefined {
  return db.get<TopicRow>('SELECT * FROM topics WHERE id = ?', id)
}

export function insertTopic(
  db: Database,
  topic: Pick<TopicRow, 'name' | 'description' | 'default_subscription' | 'visibility'>,
  now: number,
): TopicRow {
  const id = randomUUID()
  db.run(
    `INSERT INTO topics (id, name, description, default_subscription, visibility, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    id,
    topic.name,
    topic.description,
    topic.default_subscription,
    topic.visibility,
    now,
  )
  return requireRow(findTopic(db, id))
}

/** Sets the contact's explicit choice, which overrides the topic's default. */
export function setTopicSubscription(
  db: Database,
  contactSeq: number,
  topicSeq: number,
  subscription: Subscription,
): void {
  db.run(
    'INSERT OR REPLACE INTO contact_topics (contact_seq, topic_seq, subscription) VALUES (?, ?, ?)',
    contactSeq,
    topicSeq,
    subscription,
  )
}

export function findSegment(db: Database, id: string): SegmentRow | undefined {
  return db.get<SegmentRow>('SELECT * FROM segments WHERE id = ?', id)
}

/** Does nothing if the contact is already in the segment. */
export function addToSegment(db: Database, contactSeq: number, segmentSeq: number): void {
  db.run('INSERT OR IGNORE INTO contact_segments (contact_seq, segment_seq) VALUES (?, ?)', contactSeq, segmentSeq)
}

function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A row that was just stored is missing.')
  return row
}
