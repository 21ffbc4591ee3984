import { summaryPieces, type NamedPiece } from '../../shared/address.ts'

/** Whom an e-mail went to, in pieces of words that follow "to". */
export const recipientPieces = (addresses: readonly string[]): readonly NamedPiece[] =>
  addresses.length === 0 ? [{ text: 'undisclosed recipients', isName: false }] : summaryPieces(addresses)
