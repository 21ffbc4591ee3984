import type { Credentials, InboxIdentity } from '../../shared/engine-api.ts'
import { decodeGrant } from '../../shared/grant.ts'
import { type ProblemError, createProblem } from '../../shared/result.ts'
import { parseBaseUrl } from './base-url.ts'
import { HttpClient, type HttpClientOptions } from './http-client.ts'
import { createMailPlatform } from './mail-platform.ts'
import { PAGE_LIMIT } from './requests.ts'
import { isNotFound, PlatformRefusalError, UnreadableResponseError } from './platform-problem.ts'
import { RequestBudget } from './request-budget.ts'
import { systemClock } from '../timing/clock.ts'

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

type TestOptions = Pick<HttpClientOptions, 'network' | 'onReach' | 'hasAnswered' | 'longestAnswer' | 'clock'> & {
  readonly signal?: AbortSignal
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
  { signal = new AbortController().signal, clock = systemClock, ...rest }: TestOptions,
): Promise<readonly InboxIdentity[]> => {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw createProblem('invalid_input', 'An API key can contain only letters, digits and punctuation, no spaces.')
  }
  const client = new HttpClient({
    baseUrl: parseBaseUrl(baseUrl),
    apiKey: () => decodeGrant(apiKey)?.access?.token ?? apiKey,
    budget: new RequestBudget(clock),
    longestAnswer: TEST_TIMEOUT_MS,
    clock,
    ...rest,
  })
  const platform = createMailPlatform(client, clock.now)
  const options = { priority: 'action', signal, limit: 1 } as const
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
