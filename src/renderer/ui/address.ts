export interface Address {
  /** Null where the address stands alone. */
  readonly name: string | null
  readonly address: string
}

/**
 * Takes `Ada Lovelace <ada@example.com>` apart. Text without angle brackets is an address as a whole: what cannot be
 * understood is shown as it came, never dropped.
 */
export const parseAddress = (text: string): Address => {
  const open = text.lastIndexOf('<')
  const close = text.indexOf('>', open)
  if (open === -1 || close === -1) return { name: null, address: text.trim() }
  const name = text
    .slice(0, open)
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/\\(["\\])/g, '$1')
    .trim()
  const address = text.slice(open + 1, close).trim()
  return { name: name === '' || name === address ? null : name, address }
}

/** The name where there is one, else the address. A thread without any e-mail has neither. */
export const displayName = (text: string | null): string => {
  if (text === null || text.trim() === '') return 'Unknown sender'
  const { name, address } = parseAddress(text)
  return name ?? address
}

/** One or two letters that stand for a person, in any script. */
export const initials = (text: string | null): string => {
  const words = displayName(text)
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .flatMap((word) => /\p{L}|\p{N}/u.exec(word)?.[0] ?? [])
  const [first, ...rest] = words
  const last = rest.at(-1)
  return `${first ?? '?'}${last ?? ''}`.toLocaleUpperCase('en')
}

/** `Ada, Grace and 3 more`, by first names where there is no room for whole ones. */
export const summariseAddresses = (addresses: readonly string[], shown = 3): string => {
  const names = addresses.map(displayName)
  if (names.length <= shown) return names.join(', ')
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`
}
