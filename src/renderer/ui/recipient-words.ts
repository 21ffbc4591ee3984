import { summariseAddresses } from './address.ts'

/** Whom an e-mail went to, in words that follow "to". */
export const recipientWords = (addresses: readonly string[]): string =>
  addresses.length === 0 ? 'undisclosed recipients' : summariseAddresses(addresses)
