import type { ConnectionStep } from '../../shared/connection-test.ts'
import type { WayNamer } from '../../shared/proxy.ts'
import { ProblemError } from '../../shared/result.ts'
import { parseBaseUrl } from '../api/base-url.ts'
import { testCredentials } from '../api/test-credentials.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { connectionSteps, type ConnectionEnd } from './connection-steps.ts'
import { ConnectionTrace } from './connection-trace.ts'
import type { Network } from './network.ts'
import { CONNECTION_TEST_MS } from './time-outs.ts'

interface ConnectionToTest {
  readonly baseUrl: string
  /** Null if there is none at hand. */
  readonly apiKey: string | null
  /** Whether a platform has answered at this address before; none has where it is not given. */
  readonly hasAnswered?: () => boolean
  /** Who says by which way it is reached. */
  readonly by: WayNamer
}

export interface ConnectionTestParts {
  readonly network: Pick<Network, 'open'>
  /** Ends it: its reason is thrown. */
  readonly signal: AbortSignal
  /** Hears of the steps that are done. */
  readonly told: (steps: readonly ConnectionStep[]) => void
  readonly clock?: Clock
}

/** A platform that refuses it is one. */
const NO_KEY = 'none'

const keyMissing = (): ProblemError =>
  new ProblemError({ code: 'key_missing', message: 'There is no API key here. Enter it in Settings › Accounts.' })
const tooLong = (): ProblemError =>
  new ProblemError({ code: 'unreachable', message: 'This takes too long. Try again later.' })

/**
 * Tests a connection by what tests a key, over a line that tells of itself.
 * @throws ProblemError `invalid_input` for an address that is none; the signal's reason
 */
export const testConnection = async (
  { baseUrl, apiKey, hasAnswered = () => false, by }: ConnectionToTest,
  { network, signal, told, clock = systemClock }: ConnectionTestParts,
): Promise<readonly ConnectionStep[]> => {
  const tested = { url: parseBaseUrl(baseUrl), by }
  const limit = new AbortController()
  const ending = AbortSignal.any([signal, limit.signal])
  // Whoever says by which way a server is reached may take as long as they like.
  const ended = new Promise<never>((_resolve, reject) => {
    ending.addEventListener('abort', () => reject(ending.reason as Error), { once: true })
  })
  const cancel = clock.after(CONNECTION_TEST_MS, () => limit.abort(tooLong()), { unref: true })
  const trace = new ConnectionTrace(clock, () => told(connectionSteps(trace.facts, tested, null)))
  const testing = testCredentials(
    { baseUrl, apiKey: apiKey ?? NO_KEY },
    { network: { open: (options) => network.open({ ...options, trace }) }, signal: ending, hasAnswered, clock },
  )
  const end = await Promise.race([testing, ended])
    .then(
      (): ConnectionEnd => ({ problem: null }),
      (thrown: unknown): ConnectionEnd => {
        if (signal.aborted || !(thrown instanceof ProblemError)) throw thrown
        return { problem: thrown }
      },
    )
    .finally(cancel)
  const isOfKey = end.problem === null || end.problem.problem.code === 'key_rejected'
  return connectionSteps(trace.facts, tested, apiKey === null && isOfKey ? { problem: keyMissing() } : end)
}
