import type { AccountsState } from '../../../shared/contract.ts'

/** Where Linnet keeps API keys. Beside the field, before a person types one. */
export const keyStorageSentence = (keyStorage: AccountsState['keyStorage']): string =>
  keyStorage === 'keychain'
    ? 'API keys are encrypted in this computer’s keychain.'
    : 'API keys stay in memory only, so you enter them again after a restart.'
