import type { AccountsState } from '../../../shared/contract.ts'

/** Explains, next to the key field, where Linnet stores API keys. */
export const describeKeyStorage = (keyStorage: AccountsState['keyStorage']): string =>
  keyStorage === 'keychain'
    ? 'API keys are encrypted in this computer’s keychain.'
    : 'API keys are kept in memory only, so you have to enter them again after a restart.'
