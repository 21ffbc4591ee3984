import { addressKey, isAddress } from './recipients.ts'

/** Limits in characters (platform.md 6.6). */
const INBOX_LIMITS = { name: 64, fromName: 78 } as const

export interface NewInbox {
  readonly emailAddress: string
  /** Null to use the address as the name. */
  readonly name: string | null
  readonly fromName: string | null
  /** True if mail reaches the inbox by forwarding, through an address that the platform creates. */
  readonly forwarding: boolean
}

interface InboxFault {
  readonly field: 'emailAddress' | 'name' | 'fromName'
  readonly message: string
}

/** Null if the platform would accept the inbox, as far as known. @param taken addresses that already have an inbox */
export const findInboxProblem = (
  { emailAddress, name, fromName }: { readonly emailAddress: string; readonly name: string; readonly fromName: string },
  taken: readonly string[] = [],
): InboxFault | null => {
  if (!isAddress(emailAddress)) return { field: 'emailAddress', message: 'Type an email address at your own domain.' }
  if (taken.some((each) => addressKey(each) === addressKey(emailAddress))) {
    return { field: 'emailAddress', message: 'There is already an inbox with this address.' }
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
