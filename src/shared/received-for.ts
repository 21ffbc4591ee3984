import { mailboxKey, parseRecipients } from './recipients.ts'

/**
 * Of the addresses that an e-mail was received for those that its headers do not name: a catch-all, an alias, a blind copy.
 * @param named as its headers have them
 */
export const unnamedAddresses = (receivedFor: readonly string[], named: readonly string[]): readonly string[] => {
  if (receivedFor.length === 0) return []
  const keys = new Set(
    named.flatMap((entry) => parseRecipients(entry).recipients.map(({ address }) => mailboxKey(address))),
  )
  return receivedFor.filter((address) => !keys.has(mailboxKey(address)))
}
