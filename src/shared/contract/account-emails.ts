/** Account-wide lists of received and sent e-mails. */
import { z } from 'zod'
import { emailQuerySchema } from '../email-query.ts'
import type { EmailPage, InThread, ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../model.ts'
import { engine } from './command.ts'
import { id, window } from './inputs.ts'

const emailWindow = () => z.object({ ...window, query: emailQuerySchema.optional() }).strict()

export const accountEmailCommands = {
  /**
   * Newest first. A query returns local matches, because the platform can't search these lists; later windows load more
   * pages until the search is complete. `receivedEmails.changed` announces new e-mails and new matches.
   */
  'receivedEmail.list': engine<EmailPage<ReceivedEmail>>()('open', emailWindow),
  'receivedEmail.get': engine<InThread<ReceivedEmailDetail>>()('open', () => z.object({ id }).strict()),
  /**
   * Deletes the last copy of an e-mail. `refused` while the platform still has the e-mail, or if a thread contains it.
   */
  'receivedEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
  /** Sent e-mails of the account, newest first. Searched in the same way as received e-mails. */
  'sentEmail.list': engine<EmailPage<SentEmail>>()('open', emailWindow),
  'sentEmail.get': engine<InThread<SentEmailDetail>>()('open', () => z.object({ id }).strict()),
  'sentEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
}

export interface AccountEmailEvents {
  'receivedEmails.changed': null
  'sentEmails.changed': null
}
