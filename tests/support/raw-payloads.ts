import { contactParser } from '../../src/engine/platform/resources/contacts.ts'
import { inboxParser } from '../../src/engine/platform/resources/inboxes.ts'
import { receivedEmailParser, type FetchedReceivedEmail } from '../../src/engine/platform/resources/received-emails.ts'
import type { ListPage } from '../../src/engine/platform/requests.ts'
import { sentEmailParser, type FetchedSentEmail } from '../../src/engine/platform/resources/sent-emails.ts'
import { emailParser, type FetchedEmail } from '../../src/engine/platform/resources/thread-emails.ts'
import {
  threadParser,
  parseThreadSummary,
  type FetchedThreadSummary,
} from '../../src/engine/platform/resources/threads.ts'

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
export const threadOf = oneOf(threadParser.page)
export const inboxOf = oneOf(inboxParser.page)
export const contactOf = oneOf(contactParser.page)
export const emailOf = (words: Words): FetchedEmail => emailParser.one(words)
export const summaryOf = (words: Words): FetchedThreadSummary => parseThreadSummary(words)
export const receivedEmailOf = (words: Words): FetchedReceivedEmail => receivedEmailParser.one(words)
export const sentEmailOf = (words: Words): FetchedSentEmail => sentEmailParser.one(words)
