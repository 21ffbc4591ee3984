import { parseAddress } from '../../../shared/address.ts'

/** Whether two addresses are the same to the eye: in capitals or not. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Recipients of whom it is clear who they are, each once, in their order. */
export const clearRecipients = (headers: readonly string[]): readonly string[] => {
  const byAddress = new Map<string, string>()
  for (const header of headers) {
    const { address, isUnclear } = parseAddress(header)
    const key = address.toLowerCase()
    if (address !== '' && !isUnclear && !byAddress.has(key)) byAddress.set(key, header)
  }
  return [...byAddress.values()]
}

/**
 * Whom an e-mail that was sent is about: whoever of its recipients is shown already, so that their mail is gone through
 * without anybody else coming in between, else the first.
 * @param shown an address; null for nobody
 * @returns the recipient's header; null where there is none
 */
export const recipientShown = (headers: readonly string[], shown: string | null): string | null =>
  headers.find((header) => shown !== null && isSame(parseAddress(header).address, shown)) ?? headers[0] ?? null
