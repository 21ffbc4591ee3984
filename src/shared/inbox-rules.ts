import { addressKey, isAddress } from './recipients.ts'

/** Platform facts 3.1. */
const INBOX_LIMITS = { name: 64, fromName: 78 } as const

/** An inbox that is to be created. */
export interface NewInbox {
  readonly emailAddress: string
  /** Null for the address itself. */
  readonly name: string | null
  /** The sender's name on mail from it; null for none. */
  readonly fromName: string | null
  /** Its mail comes from elsewhere, by an address that the platform makes for it. */
  readonly forwarding: boolean
}

interface InboxFault {
  readonly field: 'emailAddress' | 'name' | 'fromName'
  readonly message: string
}

/**
 * What the platform would refuse of an inbox, where that is known before; null for nothing.
 * @param taken addresses that have an inbox
 */
export const inboxFault = (
  { emailAddress, name, fromName }: { readonly emailAddress: string; readonly name: string; readonly fromName: string },
  taken: readonly string[] = [],
): InboxFault | null => {
  if (!isAddress(emailAddress)) return { field: 'emailAddress', message: 'Type an e-mail address of your own domain.' }
  if (taken.some((each) => addressKey(each) === addressKey(emailAddress))) {
    return { field: 'emailAddress', message: 'There is an inbox with this address already.' }
  }
  if (name.length > INBOX_LIMITS.name) {
    return { field: 'name', message: `A name can have at most ${INBOX_LIMITS.name} characters.` }
  }
  if (fromName.length > INBOX_LIMITS.fromName) {
    return { field: 'fromName', message: `A sender name can have at most ${INBOX_LIMITS.fromName} characters.` }
  }
  if (/[<>:\r\n]/.test(fromName)) {
    return { field: 'fromName', message: 'A sender name can’t contain <, > or a colon.' }
  }
  return null
}
