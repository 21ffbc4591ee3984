/** The search of one of the account's own lists, of e-mails received or sent: what of a thread's search is about e-mails. */
import { z } from 'zod'
import { emailConditions, type EmailFilter, type ThreadFilter, type ThreadQuery } from './thread-query.ts'

/** The account's own lists of e-mails, which belong to no inbox. The platform cannot search them (platform facts 6). */
export const EMAIL_LISTS = ['received', 'sent'] as const
export type EmailList = (typeof EMAIL_LISTS)[number]

/** What a search looks through: an inbox's threads, or one of the account's own lists. */
export type SearchedList = 'threads' | EmailList

/** A search as it was typed, or is being typed. Without any condition it finds the whole list. */
export interface EmailQuery extends EmailFilter, Pick<ThreadQuery, 'lastWordIsPrefix'> {}

/** A query as it crosses the contract. */
export const emailQuerySchema: z.ZodType<EmailQuery, EmailQuery> = z.object(emailConditions).strict()

/** What of a filter is about e-mails; of one that was read for a list of e-mails that is all of it. */
export const emailFilterOf = ({
  text,
  from,
  to,
  cc,
  bcc,
  hasAttachment,
  kinds,
  since,
  until,
}: ThreadFilter): EmailFilter => ({
  text,
  from,
  to,
  cc,
  bcc,
  hasAttachment,
  kinds,
  since,
  until,
})
