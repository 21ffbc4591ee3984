import {
  readReceivedEmail,
  readSentEmail,
  type FetchedReceivedEmail,
  type FetchedSentEmail,
} from '../../src/engine/api/answers/account-emails.ts'
import { readContacts } from '../../src/engine/api/answers/contacts.ts'
import { readEmail, type FetchedEmail } from '../../src/engine/api/answers/emails.ts'
import { readInboxes } from '../../src/engine/api/answers/inboxes.ts'
import type { ListPage } from '../../src/engine/api/answers/read-answer.ts'
import { readThreads, readThreadSummary, type FetchedThreadSummary } from '../../src/engine/api/answers/threads.ts'

/** What the platform says of one thing, in its own words. */
export type Words = Readonly<Record<string, unknown>>

const oneOf =
  <Item>(read: (body: unknown, limit: number) => ListPage<Item>) =>
  (words: Words): Item => {
    const [item] = read({ data: [words], has_more: false }, 1).items
    if (item === undefined) throw new Error(`These words cannot be read: ${JSON.stringify(words)}`)
    return item
  }

/** Each reads the words of a platform as the engine does: nothing else makes what the cache keeps. */
export const threadOf = oneOf(readThreads)
export const inboxOf = oneOf(readInboxes)
export const contactOf = oneOf(readContacts)
export const emailOf = (words: Words): FetchedEmail => readEmail(words)
export const summaryOf = (words: Words): FetchedThreadSummary => readThreadSummary(words)
export const receivedEmailOf = (words: Words): FetchedReceivedEmail => readReceivedEmail(words)
export const sentEmailOf = (words: Words): FetchedSentEmail => readSentEmail(words)
