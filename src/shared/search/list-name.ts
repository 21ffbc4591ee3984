import type { EmailList } from '../email-query.ts'

const NAMES: Readonly<Record<EmailList, string>> = { received: 'All received', sent: 'All sent' }

/** One of the account's own lists, as the side bar calls it. */
export const listName = (list: EmailList): string => NAMES[list]
