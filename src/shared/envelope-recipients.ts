import { mailboxKey, parseRecipients } from './recipients.ts'

/**
 * Addresses that received the e-mail but that its headers don't name, such as a catch-all, an alias or a blind copy.
 */
export const findUnlistedRecipients = (receivedFor: readonly string[], named: readonly string[]): readonly string[] => {
  if (receivedFor.length === 0) return []
  const keys = new Set(
    named.flatMap((entry) => parseRecipients(entry).recipients.map(({ address }) => mailboxKey(address))),
  )
  return receivedFor.filter((address) => !keys.has(mailboxKey(address)))
}
