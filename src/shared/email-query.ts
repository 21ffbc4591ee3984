/**
 * Searches in the account-wide lists of received or sent e-mails. They support the e-mail conditions of a thread
 * search.
 */
import { z } from 'zod'
import { emailConditions, type EmailFilter, type ThreadFilter, type ThreadQuery } from './thread-query.ts'

/** Account-wide lists of e-mails, which belong to no inbox. The platform cannot search them (platform.md 20.10). */
export const EMAIL_LISTS = ['received', 'sent'] as const
export type EmailList = (typeof EMAIL_LISTS)[number]

/** A searchable list: an inbox's threads, or an account-wide list. */
export type SearchableList = 'threads' | EmailList

/** A search as typed so far. Without conditions, it matches the entire list. */
export interface EmailQuery extends EmailFilter, Pick<ThreadQuery, 'lastWordIsPrefix'> {}

export const emailQuerySchema: z.ZodType<EmailQuery, EmailQuery> = z.object(emailConditions).strict()

/** The e-mail conditions of a filter. A filter parsed for a list of e-mails has no others. */
export const toEmailFilter = (filter: ThreadFilter): EmailFilter => {
  const { text, from, to, cc, bcc, hasAttachment, kinds, since, until } = filter
  return { text, from, to, cc, bcc, hasAttachment, kinds, since, until }
}
