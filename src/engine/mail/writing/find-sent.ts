import { haveSameRecipients } from '../../../shared/recipients.ts'
import type { DraftContent } from '../../../shared/drafts.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import { eachPage, type CallOptions } from '../../platform/requests.ts'
import type { FetchedSentEmail } from '../../platform/resources/sent-emails.ts'
import { lacksOperation } from '../../platform/platform-problem.ts'
import { toRecipient } from './platform-content.ts'

/** Tolerated clock difference between this computer and the platform. */
const CLOCKS_MS = 15 * 60_000
/** Maximum pages of sent e-mails to search: more than anyone sends between two tries. */
const MAX_PAGES = 30

/** Outcome of a send whose idempotency key the platform has forgotten. `unknown` if it can't be determined. */
export type SendOutcome = { readonly emailId: string } | 'not sent' | 'unknown'

const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Searches the sent e-mails, newest first, for the same subject, recipients and text.
 * @param since earliest possible send time, milliseconds since the epoch
 */
export const findSentEmail = async (
  platform: Pick<MailPlatform, 'getSentEmail' | 'listSentEmails'>,
  { to, subject, text }: Pick<DraftContent, 'to' | 'subject' | 'text'>,
  since: number,
  options: CallOptions,
): Promise<SendOutcome> => {
  const words = collapseSpaces(text)
  const isIt = async (listed: FetchedSentEmail): Promise<boolean> => {
    if ((listed.subject ?? '') !== subject || !haveSameRecipients(listed.to.map(toRecipient), to)) return false
    const whole = await platform.getSentEmail(listed.id, options)
    return whole.text === null || collapseSpaces(whole.text).startsWith(words)
  }
  try {
    const fetchPage = (after: string | undefined) => platform.listSentEmails({ ...options, after })
    for await (const { items, hasMore, isWhole } of eachPage(fetchPage, MAX_PAGES)) {
      if (!isWhole) return 'unknown'
      for (const listed of items) {
        if (listed.createdAt < since - CLOCKS_MS) return 'not sent'
        if (listed.lastEvent !== 'canceled' && (await isIt(listed))) return { emailId: listed.id }
      }
      if (!hasMore || items.length === 0) return 'not sent'
    }
    return 'unknown'
  } catch (thrown) {
    if (lacksOperation(thrown)) return 'unknown'
    throw thrown
  }
}
