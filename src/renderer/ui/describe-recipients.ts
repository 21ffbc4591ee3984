import { summarizeAddresses, type SummarySegment } from '../../shared/address.ts'

export const describeRecipients = (addresses: readonly string[]): readonly SummarySegment[] =>
  addresses.length === 0 ? [{ text: 'undisclosed recipients', isName: false }] : summarizeAddresses(addresses)
