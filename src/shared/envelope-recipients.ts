import { mailboxKey, parseRecipients } from './recipients.ts'

/** Receiving addresses that an e-mail's headers don't name: a catch-all, an alias, a blind copy. */
export const unlistedRecipients = (receivedFor: readonly string[], named: readonly string[]): readonly string[] => {
  if (receivedFor.length === 0) return []
  const keys = new Set(
    named.flatMap((entry) => parseRecipients(entry).recipients.map(({ address }) => mailboxKey(address))),
  )
  return receivedFor.filter((address) => !keys.has(mailboxKey(address)))
}
