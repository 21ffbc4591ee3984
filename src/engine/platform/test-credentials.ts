import type { Credentials, InboxIdentity } from '../../shared/engine-api.ts'
import { decodeGrant } from '../../shared/grant.ts'
import { type ProblemError, createProblem } from '../../shared/result.ts'
import { parseBaseUrl } from './base-url.ts'
import { HttpClient, type Reach } from './http-client.ts'
import { createMailPlatform } from './mail-platform.ts'
import { PAGE_LIMIT, type CallOptions } from './requests.ts'
import { isNotFound, PlatformRefusalError, UnreadableResponseError } from './platform-problem.ts'
import { RequestBudget } from './request-budget.ts'
import type { Network } from './network.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/**
 * True if inboxes, a private beta, may be missing (platform.md 1.6). The status for that is unknown, but an invalid key
 * fails other calls too.
 */
const mayLackInboxes = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError &&
  (thrown.status === 404 || (thrown.status === 403 && thrown.problem.code !== 'key_rejected'))

/** True if something other than a mail platform responded: unreadable, or without the contract's own list. */
const isNotMailPlatform = (thrown: unknown): boolean =>
  thrown instanceof UnreadableResponseError ||
  isNotFound(thrown) ||
  (thrown instanceof PlatformRefusalError && !thrown.isInJson && thrown.status < 500)

const notAMailPlatform = (): ProblemError =>
  createProblem('not_a_mail_platform', 'There is no mail platform at this address. Check the address.')

/** Limit for a complete response, in milliseconds: a page of inboxes is small. */
const TEST_TIMEOUT_MS = 20_000

interface TestOptions {
  readonly network: Pick<Network, 'open'>
  readonly signal?: AbortSignal
  readonly onReach?: (reach: Reach) => void
  /** True if a platform has answered here before; false for an account being connected. */
  readonly hasAnswered?: () => boolean
  readonly clock?: Clock
  /** Milliseconds until the last byte of a response. */
  readonly longestAnswer?: number
}

/**
 * Checks a platform and key with one request; two if the platform lacks inboxes, three if it has only the contract's
 * operations.
 * @returns the account's inboxes, which identify it
 * @throws ProblemError `invalid_input`, `key_rejected`, `key_restricted`, `unreachable`, `not_a_mail_platform`,
 * `rate_limited`, `platform_failed`, `refused`
 */
export const testCredentials = async (
  { baseUrl, apiKey }: Credentials,
  {
    network,
    signal = new AbortController().signal,
    onReach = () => undefined,
    hasAnswered = () => false,
    clock = systemClock,
    longestAnswer = TEST_TIMEOUT_MS,
  }: TestOptions,
): Promise<readonly InboxIdentity[]> => {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw createProblem('invalid_input', 'An API key can contain only letters, digits and punctuation, no spaces.')
  }
  const client = new HttpClient({
    baseUrl: parseBaseUrl(baseUrl),
    apiKey: () => decodeGrant(apiKey)?.access?.token ?? apiKey,
    budget: new RequestBudget(clock),
    network,
    onReach,
    hasAnswered,
    longestAnswer,
    clock,
  })
  const platform = createMailPlatform(client, clock.now)
  const options: CallOptions & { readonly limit: number } = {
    priority: 'action',
    signal,
    limit: 1,
  }
  try {
    const inboxes = await platform
      .listInboxes({ ...options, limit: PAGE_LIMIT })
      .then(({ items }) => items)
      .catch((thrown: unknown) => {
        if (!mayLackInboxes(thrown)) throw thrown
        return platform.listReceivedEmails(options).then(() => [])
      })
      .catch((thrown: unknown) => {
        if (!isNotFound(thrown)) throw thrown
        return platform.listContacts(options).then(() => [])
      })
      .catch((thrown: unknown) => {
        throw isNotMailPlatform(thrown) ? notAMailPlatform() : thrown
      })
    return inboxes.map(({ id, emailAddress }) => ({ id, address: emailAddress }))
  } finally {
    await client.close()
  }
}
