/** Account-wide lists of received and sent e-mails. */
import { z } from 'zod'
import { emailQuerySchema } from '../email-query.ts'
import type { EmailPage, WithThread, ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../model.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, listWindowFields } from './inputs.ts'

const emailWindow = () => z.object({ ...listWindowFields, query: emailQuerySchema.optional() }).strict()

export const accountEmailCommands = {
  /**
   * Newest first. A query returns local matches, because the platform can't search these lists; later windows load more
   * pages until the search is complete. `receivedEmails.changed` announces new e-mails and new matches.
   */
  'receivedEmail.list': defineEngineCommand<EmailPage<ReceivedEmail>>()('owner', emailWindow),
  'receivedEmail.get': defineEngineCommand<WithThread<ReceivedEmailDetail>>()('owner', () =>
    z.object({ id: idSchema }).strict(),
  ),
  /**
   * Deletes the last copy of an e-mail. `refused` while the platform still has the e-mail, or if a thread contains it.
   */
  'receivedEmail.deleteKept': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
  /** Sent e-mails of the account, newest first. Searched in the same way as received e-mails. */
  'sentEmail.list': defineEngineCommand<EmailPage<SentEmail>>()('owner', emailWindow),
  'sentEmail.get': defineEngineCommand<WithThread<SentEmailDetail>>()('owner', () =>
    z.object({ id: idSchema }).strict(),
  ),
  'sentEmail.deleteKept': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
}

export interface AccountEmailEvents {
  'receivedEmails.changed': null
  'sentEmails.changed': null
}
