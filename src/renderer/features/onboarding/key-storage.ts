import type { AccountsState } from '../../../shared/contract.ts'

/** Where the key is kept, in words: said before a person types one. */
export const keyStorageSentence = (keyStorage: AccountsState['keyStorage']): string =>
  keyStorage === 'keychain'
    ? "The key is kept in this computer's keychain, encrypted."
    : 'The key is kept in memory only: when Linnet stops, it is forgotten.'
