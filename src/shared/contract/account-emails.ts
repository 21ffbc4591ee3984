/** The account's own lists: all e-mails that it received, and all that it sent. */
import { z } from 'zod'
import { emailQuerySchema } from '../email-query.ts'
import type { EmailPage, InThread, ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../model.ts'
import { engine } from './command.ts'
import { id, window } from './inputs.ts'

/** A window of one of the account's own lists, or of a search in it. */
const emailWindow = () => z.object({ ...window, query: emailQuerySchema.optional() }).strict()

export const accountEmailCommands = {
  /**
   * Received e-mails of the account, newest first. With a query, those that match on this computer, because the
   * platform cannot search them: whole, a page at a time as later windows are asked for. `receivedEmails.changed`
   * announces both.
   */
  'receivedEmail.list': engine<EmailPage<ReceivedEmail>>()('open', emailWindow),
  'receivedEmail.get': engine<InThread<ReceivedEmailDetail>>()('open', () => z.object({ id }).strict()),
  /**
   * Deletes an e-mail that the platform has dropped, for good. `refused` for one that the platform has, or that is part
   * of a conversation here: that is deleted as a whole.
   */
  'receivedEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
  /** Sent e-mails of the account, newest first; searched like received ones. */
  'sentEmail.list': engine<EmailPage<SentEmail>>()('open', emailWindow),
  'sentEmail.get': engine<InThread<SentEmailDetail>>()('open', () => z.object({ id }).strict()),
  /** The same for a sent one. */
  'sentEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
}

export interface AccountEmailEvents {
  'receivedEmails.changed': null
  'sentEmails.changed': null
}
