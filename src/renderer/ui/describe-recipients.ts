import { summaryPieces, type NamedPiece } from '../../shared/address.ts'

export const recipientPieces = (addresses: readonly string[]): readonly NamedPiece[] =>
  addresses.length === 0 ? [{ text: 'undisclosed recipients', isName: false }] : summaryPieces(addresses)
