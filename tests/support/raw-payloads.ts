import { readContacts } from '../../src/engine/api/contacts.ts'
import { readInboxes } from '../../src/engine/api/inboxes.ts'
import { readReceivedEmail, type FetchedReceivedEmail } from '../../src/engine/api/received-emails.ts'
import type { ListPage } from '../../src/engine/api/requests.ts'
import { readSentEmail, type FetchedSentEmail } from '../../src/engine/api/sent-emails.ts'
import { readEmail, type FetchedEmail } from '../../src/engine/api/thread-emails.ts'
import { readThreads, readThreadSummary, type FetchedThreadSummary } from '../../src/engine/api/threads.ts'

/** Raw JSON of one object, as the platform returns it. */
export type Words = Readonly<Record<string, unknown>>

const oneOf =
  <Item>(read: (body: unknown, limit: number) => ListPage<Item>) =>
  (words: Words): Item => {
    const [item] = read({ data: [words], has_more: false }, 1).items
    if (item === undefined) throw new Error(`Unreadable payload: ${JSON.stringify(words)}`)
    return item
  }

/** Parsed with the engine's own readers, the only source of cached values. */
export const threadOf = oneOf(readThreads)
export const inboxOf = oneOf(readInboxes)
export const contactOf = oneOf(readContacts)
export const emailOf = (words: Words): FetchedEmail => readEmail(words)
export const summaryOf = (words: Words): FetchedThreadSummary => readThreadSummary(words)
export const receivedEmailOf = (words: Words): FetchedReceivedEmail => readReceivedEmail(words)
export const sentEmailOf = (words: Words): FetchedSentEmail => readSentEmail(words)
