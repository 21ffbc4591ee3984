import type { AccountName, AccountsState } from '../../../shared/contract.ts'

/** Accounts with stored mail that aren't connected. */
export const listStoredAccounts = (state: Pick<AccountsState, 'accounts' | 'known'> | null): readonly AccountName[] =>
  (state?.known ?? []).filter(({ id }) => state?.accounts.some((account) => account.id === id) !== true)
