import type { AccountKey, InboxName } from '../shared/engine-link.ts'
import { ProblemError } from '../shared/result.ts'

/** The key of an open account: it may be missing, not tried yet, or replaced while requests are under way. */
export interface KeyGate {
  readonly isMissing: () => boolean
  /** The key to ask with. @throws ProblemError `key_missing` */
  readonly apiKey: () => string
  readonly replace: (key: AccountKey | null) => void
  /**
   * Resolves when requests may be made with the key.
   * @throws ProblemError `key_missing`; `key_of_another_account`; whatever testing the key throws
   */
  readonly pass: (signal: AbortSignal) => Promise<void>
}

const missing = (): ProblemError => new ProblemError({ code: 'key_missing', message: 'Enter the API key to sync.' })

/**
 * Whether a key may be one of this account: both know an inbox, or one of them knows none (an account may have no
 * inboxes, and a new cache has none yet).
 */
const mayBeSame = (ofKey: readonly InboxName[], inCache: readonly string[]): boolean =>
  ofKey.length === 0 || inCache.length === 0 || ofKey.some(({ id }) => inCache.includes(id))

/**
 * Stands before every request of an account. A key that the platform has not taken yet is tested first, once for all
 * requests that wait, and held against the inboxes in the cache: mail of two accounts never meets in one.
 */
export const createKeyGate = (
  first: AccountKey | null,
  parts: {
    /** @returns the inboxes of the account that a key belongs to */
    readonly test: (apiKey: string) => Promise<readonly InboxName[]>
    readonly cachedInboxIds: () => readonly string[]
    readonly accepted: (apiKey: string, inboxes: readonly InboxName[]) => void
  },
): KeyGate => {
  let key = first
  let testing: { readonly key: AccountKey; readonly end: Promise<void> } | null = null

  const test = async (tested: AccountKey): Promise<void> => {
    const inboxes = await parts.test(tested.apiKey)
    if (!mayBeSame(inboxes, parts.cachedInboxIds())) {
      throw new ProblemError({
        code: 'key_of_another_account',
        message: 'This API key belongs to another account. Enter this account’s key; its mail stays.',
      })
    }
    // Another key may have taken its place meanwhile.
    if (key !== tested) return
    key = { ...tested, isAccepted: true }
    parts.accepted(tested.apiKey, inboxes)
  }

  const pass = async (signal: AbortSignal): Promise<void> => {
    while (key !== null && !key.isAccepted) {
      signal.throwIfAborted()
      const tested = key
      const shared = testing?.key === tested ? testing : { key: tested, end: test(tested) }
      testing = shared
      try {
        await shared.end
      } catch (thrown) {
        // The next request tries again.
        if (testing === shared) testing = null
        if (key === tested) throw thrown
      }
    }
    if (key === null) throw missing()
  }

  return {
    isMissing: () => key === null,
    apiKey: () => {
      if (key === null) throw missing()
      return key.apiKey
    },
    replace: (next) => {
      key = next
    },
    pass,
  }
}
