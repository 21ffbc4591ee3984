import { parseContactPage } from '../../src/engine/platform/resources/contacts.ts'
import { parseInboxPage } from '../../src/engine/platform/resources/inboxes.ts'
import { parseReceivedEmail, type FetchedReceivedEmail } from '../../src/engine/platform/resources/received-emails.ts'
import type { ListPage } from '../../src/engine/platform/requests.ts'
import { parseSentEmail, type FetchedSentEmail } from '../../src/engine/platform/resources/sent-emails.ts'
import { parseThreadEmail, type FetchedEmail } from '../../src/engine/platform/resources/thread-emails.ts'
import {
  parseThreadPage,
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
export const threadOf = oneOf(parseThreadPage)
export const inboxOf = oneOf(parseInboxPage)
export const contactOf = oneOf(parseContactPage)
export const emailOf = (words: Words): FetchedEmail => parseThreadEmail(words)
export const summaryOf = (words: Words): FetchedThreadSummary => parseThreadSummary(words)
export const receivedEmailOf = (words: Words): FetchedReceivedEmail => parseReceivedEmail(words)
export const sentEmailOf = (words: Words): FetchedSentEmail => parseSentEmail(words)
