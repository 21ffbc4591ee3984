import type { Credentials, InboxName } from '../../shared/engine-link.ts'
import { readGrant } from '../../shared/grant.ts'
import { ProblemError } from '../../shared/result.ts'
import { parseBaseUrl } from './base-url.ts'
import { HttpClient, type Reach } from './http-client.ts'
import { createMailPlatform } from './mail-platform.ts'
import { PAGE_LIMIT, type CallOptions } from './requests.ts'
import { isNotFound, PlatformRefusal, UnreadableAnswer } from './platform-problem.ts'
import { RequestBudget } from './request-budget.ts'
import type { Network } from '../network/network.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/**
 * Whether the account may have no inboxes: they are a private beta (contract, "What the service does"), and how an
 * account without it is answered is not known. A key that is wrong is wrong for everything else too.
 */
const mayLackInboxes = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal &&
  (thrown.status === 404 || (thrown.status === 403 && thrown.problem.code !== 'key_rejected'))

/** Whether what answers is something else: it cannot be read, or does not even know the contract's own list. */
const isAnotherPlace = (thrown: unknown): boolean =>
  thrown instanceof UnreadableAnswer ||
  isNotFound(thrown) ||
  (thrown instanceof PlatformRefusal && !thrown.isInJson && thrown.status < 500)

const notAMailPlatform = (): ProblemError =>
  new ProblemError({
    code: 'not_a_mail_platform',
    message: 'This address answers, but not as a mail platform. Check it.',
  })

/** How long each answer of a test may take as a whole, in milliseconds: a page of inboxes is small. */
const LONGEST_TEST_MS = 20_000

interface TestOptions {
  readonly network: Pick<Network, 'open'>
  /** Ends it: its reason is thrown. */
  readonly signal?: AbortSignal
  /** Told after each request whether the platform could be reached. */
  readonly onReach?: (reach: Reach) => void
  /** Whether a platform has answered at this address before: an account that is being connected has none. */
  readonly hasAnswered?: () => boolean
  readonly clock?: Clock
  /** Milliseconds from a request to the last byte of its answer. */
  readonly longestAnswer?: number
}

/**
 * Asks the platform whether it is one and takes this key, with one request, or a second one where there are no inboxes
 * (a third on a platform that offers the contract's operations alone).
 * @returns the account's inboxes, by which it is known again; none where it has none
 * @throws ProblemError with what to correct: `invalid_input`, `key_rejected`, `key_restricted`, `unreachable`,
 * `not_a_mail_platform`, `rate_limited`, `platform_failed`, `refused`
 */
export const testCredentials = async (
  { baseUrl, apiKey }: Credentials,
  {
    network,
    signal = new AbortController().signal,
    onReach = () => undefined,
    hasAnswered = () => false,
    clock = systemClock,
    longestAnswer = LONGEST_TEST_MS,
  }: TestOptions,
): Promise<readonly InboxName[]> => {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ProblemError({
      code: 'invalid_input',
      message: 'An API key has only letters, digits and punctuation, no spaces.',
    })
  }
  const client = new HttpClient({
    baseUrl: parseBaseUrl(baseUrl),
    apiKey: () => readGrant(apiKey)?.access?.token ?? apiKey,
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
        throw isAnotherPlace(thrown) ? notAMailPlatform() : thrown
      })
    return inboxes.map(({ id, emailAddress }) => ({ id, address: emailAddress }))
  } finally {
    await client.close()
  }
}
