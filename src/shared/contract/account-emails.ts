/** The account's own lists: all e-mails that it received, and all that it sent. */
import { z } from 'zod'
import { emailQuerySchema } from '../email-query.ts'
import type { EmailPage, InThread, ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../model.ts'
import { engine } from './command.ts'
import { id, window } from './inputs.ts'

/** A window of one of the account's own lists, or of what a search finds in it. */
const emailWindow = () => z.object({ ...window, query: emailQuerySchema.optional() }).strict()

export const accountEmailCommands = {
  /**
   * The account's received e-mails, newest first. With a query those that match on this computer, as the platform cannot
   * search them: whole, a page at a time as windows further down are asked for. `receivedEmails.changed` tells of both.
   */
  'receivedEmail.list': engine<EmailPage<ReceivedEmail>>()('open', emailWindow),
  'receivedEmail.get': engine<InThread<ReceivedEmailDetail>>()('open', () => z.object({ id }).strict()),
  /**
   * Deletes an e-mail for good that the platform has dropped. `refused` for one that the platform has, or that is part of a
   * conversation here: that is deleted as a whole.
   */
  'receivedEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
  /** The account's sent e-mails, newest first; searched as those that were received. */
  'sentEmail.list': engine<EmailPage<SentEmail>>()('open', emailWindow),
  'sentEmail.get': engine<InThread<SentEmailDetail>>()('open', () => z.object({ id }).strict()),
  /** The same of one that was sent. */
  'sentEmail.deleteKept': engine<null>()('open', () => z.object({ id }).strict()),
}

export interface AccountEmailEvents {
  'receivedEmails.changed': null
  'sentEmails.changed': null
}
