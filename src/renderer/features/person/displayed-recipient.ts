import { parseAddress } from '../../../shared/address.ts'

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Unambiguous recipients without duplicates, in order. */
export const listUnambiguousRecipients = (headers: readonly string[]): readonly string[] => {
  const byAddress = new Map<string, string>()
  for (const header of headers) {
    const { address, isUnclear } = parseAddress(header)
    const key = address.toLowerCase()
    if (address !== '' && !isUnclear && !byAddress.has(key)) byAddress.set(key, header)
  }
  return [...byAddress.values()]
}

/** Keeps the recipient already shown, if possible, while the user steps through that person's mail. */
export const pickDisplayedRecipient = (headers: readonly string[], shown: string | null): string | null =>
  headers.find((header) => shown !== null && isSame(parseAddress(header).address, shown)) ?? headers[0] ?? null
