import type { EmailList } from '../email-query.ts'

const NAMES: Readonly<Record<EmailList, string>> = { received: 'All received', sent: 'All sent' }

export const formatListName = (list: EmailList): string => NAMES[list]
