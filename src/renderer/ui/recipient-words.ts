import { summaryPieces, type NamedPiece } from '../../shared/address.ts'

/** Recipients as pieces of a sentence, after "to". */
export const recipientPieces = (addresses: readonly string[]): readonly NamedPiece[] =>
  addresses.length === 0 ? [{ text: 'undisclosed recipients', isName: false }] : summaryPieces(addresses)
