import type { AccountsState } from '../shared/contract.ts'
import type { AccountKey, InboxIdentity } from '../shared/engine-api.ts'
import { stripAccessToken } from '../shared/grant.ts'
import { toProblem, type Problem, createProblem } from '../shared/result.ts'
import type { PlatformAccountRecord } from './stored-accounts.ts'
import { formatBoundKey, digestKey, parseBoundKey } from './account-matching.ts'

export interface KeyVault {
  readonly storage: () => Promise<AccountsState['keyStorage']>
  /** Encrypts a key for this user on this computer. Null if that is impossible; the key must then not be stored. */
  readonly seal: (apiKey: string) => Promise<string | null>
  /** @throws ProblemError `key_missing` if the key can't be recovered */
  readonly unseal: (sealed: string) => Promise<string>
}

export interface KeyInUse {
  readonly key: AccountKey | null
  readonly isFromEnvironment: boolean
  /** Inboxes that the platform just returned for the key, or null without such a request. */
  readonly inboxes: readonly InboxIdentity[] | null
}

export interface UnsealedKey {
  readonly key: AccountKey | null
  /** Reason why a stored key can't be read, or null. */
  readonly trouble: Problem | null
}

/** Stores the key itself only after it was accepted. */
export const sealKeyInRecord = async (
  vault: KeyVault,
  record: PlatformAccountRecord,
  { key, isFromEnvironment, inboxes }: KeyInUse,
): Promise<PlatformAccountRecord> => {
  const isKept = key?.isAccepted === true && !isFromEnvironment
  return {
    ...record,
    inboxes: inboxes ?? record.inboxes,
    keyDigest: key?.isAccepted === true ? digestKey(record.baseUrl, stripAccessToken(key.apiKey)) : record.keyDigest,
    sealedKey: isKept
      ? await vault.seal(formatBoundKey(record.baseUrl, stripAccessToken(key.apiKey)))
      : record.sealedKey,
  }
}

export const unsealKey = async (
  vault: KeyVault,
  { sealedKey, baseUrl }: PlatformAccountRecord,
): Promise<UnsealedKey> => {
  if (sealedKey === null) return { key: null, trouble: null }
  try {
    const apiKey = parseBoundKey(baseUrl, await vault.unseal(sealedKey))
    if (apiKey === null) {
      const message = `The stored API key is not for ${baseUrl}. Your mail is safe; enter the API key for this server.`
      throw createProblem('key_missing', message)
    }
    return { key: { apiKey, isAccepted: true }, trouble: null }
  } catch (thrown) {
    return { key: null, trouble: toProblem(thrown) }
  }
}
