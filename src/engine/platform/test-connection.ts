import { isIP } from 'node:net'
import { CONNECTION_STEPS, type ConnectionStep } from '../../shared/connection-test.ts'
import { DIRECT_ROUTE, parseProxy, formatProxy, type RouteSource, type ProxyRoute } from '../../shared/proxy.ts'
import { ProblemError, createProblem } from '../../shared/result.ts'
import { parseBaseUrl } from './base-url.ts'
import { testCredentials } from './test-credentials.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { raceAbort } from '../timing/race-abort.ts'
import { type ConnectionDetails, ConnectionTrace } from './connection-trace.ts'
import type { Network } from './network.ts'
import { CONNECTION_TEST_MS } from './timeouts.ts'
import { UnreachableError } from './platform-problem.ts'
import { CaptivePortalError } from './captive-portal.ts'
import { ProxyError } from './proxy-problem.ts'
import { UntrustedCertificateError } from './untrusted-certificate.ts'

interface ConnectionToTest {
  readonly baseUrl: string
  readonly apiKey: string | null
  /** True if a platform has answered at this address; false by default. */
  readonly hasAnswered?: () => boolean
  readonly by: RouteSource
}

export interface ConnectionTestDependencies {
  readonly network: Pick<Network, 'open'>
  readonly signal: AbortSignal
  readonly progress: (steps: readonly ConnectionStep[]) => void
  readonly clock?: Clock
}

/** Placeholder used without a key: if it is rejected, a platform has responded. */
const NO_KEY = 'none'

const keyMissing = (): ProblemError =>
  createProblem('key_missing', 'This account has no API key. Add one in Settings › Accounts.')
const tooLong = (): ProblemError => createProblem('unreachable', 'This is taking too long. Try again later.')

type StepName = ConnectionStep['name']

interface Tested {
  readonly url: URL
  readonly by: RouteSource
}

type ConnectionOutcome = ProblemError | 'accepted'

const WHY_DIRECT: Readonly<Record<RouteSource, string>> = {
  person: 'as set in Settings › Network',
  environment: 'as set by NO_PROXY in the environment',
  system: 'because your system sets no proxy for it',
  here: 'because it is on this computer',
  nobody: 'because no proxy is set',
}
const PROXY_SOURCES: Readonly<Record<RouteSource, string>> = {
  ...{ person: 'set in Settings › Network', environment: 'set by the environment', system: 'set by your system' },
  ...{ here: 'which is on this computer', nobody: 'from an unknown source' },
}
const WHO_TRUSTS = {
  builtIn: 'Linnet trusts its issuer.',
  system: 'Your computer trusts its issuer.',
  extra: 'Its issuer is listed in NODE_EXTRA_CA_CERTS.',
} as const

const NOT_TRIED = 'Not tried.'
const formatDuration = (milliseconds: number | null): string =>
  milliseconds === null
    ? ''
    : milliseconds < 1_000
      ? ` in ${Math.max(1, Math.round(milliseconds))} ms`
      : ` in ${(milliseconds / 1_000).toFixed(1)} s`

const describeRoute = (route: ProxyRoute): string => {
  const proxy = parseProxy(route)
  return proxy === null ? '' : formatProxy(proxy)
}

const proxyOf = ({ routes }: ConnectionDetails) => {
  const route = routes.at(-1) ?? DIRECT_ROUTE
  return route === DIRECT_ROUTE ? null : parseProxy(route)
}

const describeStep = (name: StepName, facts: ConnectionDetails, { url, by }: Tested): string => {
  const host = url.hostname
  const proxy = proxyOf(facts)
  const { addresses, connectedIn, certificate, answeredIn } = facts
  switch (name) {
    case 'way': {
      const dead = facts.routes.slice(0, -1).map(describeRoute).join(', ')
      const instead = dead === '' ? '' : ` ${dead} did not answer.`
      return proxy === null
        ? `Linnet connects to ${host} directly${dead === '' ? `, ${WHY_DIRECT[by]}` : ''}.${instead}`
        : `Linnet connects through the proxy ${formatProxy(proxy)}, ${PROXY_SOURCES[by]}.${instead}`
    }
    case 'name':
      if (proxy !== null) return `The proxy looks up ${host}.`
      return addresses === null
        ? `${host} is an IP address, so no lookup is needed.`
        : `${host} has ${addresses === 1 ? 'one address' : `${addresses} addresses`}.`
    case 'line':
      return `Connected to ${proxy === null ? host : 'the proxy'}${formatDuration(connectedIn)}.`
    case 'proxy': {
      const login = proxy?.login === null ? 'It needs no password.' : 'It accepted your name and password.'
      return `The proxy connected to ${host}. ${login}`
    }
    case 'certificate':
      if (url.protocol === 'http:') return 'The connection is not encrypted. It does not leave this computer.'
      if (certificate === null) return 'The certificate is trusted.'
      return `${certificate.words} ${certificate.list === null ? 'It is trusted.' : WHO_TRUSTS[certificate.list]}`
    case 'platform':
      return `${host} answered as a mail platform${formatDuration(answeredIn)}.`
    case 'key':
      return 'The platform accepts your API key, which has full access.'
  }
}

const isStepDone = (
  name: StepName,
  facts: ConnectionDetails,
  end: ConnectionOutcome | null,
  { url }: Tested,
): boolean => {
  const isKnown = facts.routes.length > 0
  const isPlain = url.protocol === 'http:' && proxyOf(facts) === null
  switch (name) {
    case 'way':
      return isKnown
    case 'name':
      return (
        facts.addresses !== null ||
        (isKnown && (proxyOf(facts) !== null || isIP(url.hostname.replace(/^\[|\]$/g, '')) > 0))
      )
    case 'line':
      return facts.connectedIn !== null
    case 'proxy':
      return facts.isTunnelOpen
    case 'certificate':
      return facts.certificate !== null || facts.answeredIn !== null || (isPlain && facts.connectedIn !== null)
    case 'platform':
      return false
    case 'key':
      return end === 'accepted'
  }
}

const KEY_PROBLEM_CODES: readonly string[] = ['invalid_input', 'key_missing', 'key_rejected', 'key_restricted']
const TLS_ERROR_PATTERN = /CERT|TLS|SSL|EPROTO|^UNABLE_TO_/

/** The step that failed; null means the first step that isn't done. */
const failedStep = (problem: ProblemError, facts: ConnectionDetails): StepName | null => {
  const { code, details } = problem.problem
  const { cause } = problem
  if (KEY_PROBLEM_CODES.includes(code)) return 'key'
  if (!(problem instanceof UnreachableError)) return code === 'unreachable' ? null : 'platform'
  if (cause instanceof ProxyError) return cause.kind === 'dead' ? 'line' : 'proxy'
  if (problem instanceof CaptivePortalError) return problem.mayHaveArrived ? 'platform' : 'certificate'
  if (cause instanceof UntrustedCertificateError) return 'certificate'
  if (!TLS_ERROR_PATTERN.test(String(details?.cause))) return null
  // An https proxy has a certificate of its own.
  return proxyOf(facts)?.protocol === 'https' && !facts.isTunnelOpen ? 'proxy' : 'certificate'
}

const describeFailure = (name: StepName, problem: ProblemError, by: RouteSource): string => {
  if (problem instanceof CaptivePortalError)
    return `${problem.problem.message} Open any page in your browser, sign in, and test again.`
  if (name !== 'way') return problem.problem.message
  return by === 'person'
    ? 'The proxy in Settings › Network cannot be read. Enter it again.'
    : 'Your system’s proxy settings don’t say how to reach this address. Check them in system settings.'
}

/** Steps done so far; all of them at the end. @param end null while the test runs */
export const listConnectionSteps = (
  facts: ConnectionDetails,
  tested: Tested,
  end: ConnectionOutcome | null,
): readonly ConnectionStep[] => {
  const names = CONNECTION_STEPS.filter((name) => name !== 'proxy' || proxyOf(facts) !== null)
  // A later step proves the earlier ones, as not every step reports.
  const done = names.findLastIndex((name) => isStepDone(name, facts, end, tested)) + 1
  const well = (name: StepName): ConnectionStep => ({ name, state: 'well', words: describeStep(name, facts, tested) })
  const problem = end instanceof ProblemError ? end : null
  if (problem === null) return names.slice(0, done).map(well)
  const failed = failedStep(problem, facts) ?? names[done] ?? 'platform'
  const place = names.indexOf(failed)
  // An invalid key isn't sent, and credentials that a proxy declined aren't sent again.
  const isHeldBack = problem.problem.code === 'invalid_input' || failed === 'proxy'
  const reached = isHeldBack ? Math.min(done, place) : place
  return names.map((name, index) => {
    if (index === place) return { name, state: 'wrong', words: describeFailure(name, problem, tested.by) }
    return index < reached ? well(name) : { name, state: 'untried', words: NOT_TRIED }
  })
}

/** Tests the key over a traced connection. @throws ProblemError `invalid_input` for the address; the signal's reason */
export const testConnection = async (
  { baseUrl, apiKey, hasAnswered = () => false, by }: ConnectionToTest,
  { network, signal, progress, clock = systemClock }: ConnectionTestDependencies,
): Promise<readonly ConnectionStep[]> => {
  const tested = { url: parseBaseUrl(baseUrl), by }
  const limit = new AbortController()
  const ending = AbortSignal.any([signal, limit.signal])
  const cancel = clock.after(CONNECTION_TEST_MS, () => limit.abort(tooLong()), { unref: true })
  const trace = new ConnectionTrace(clock, () => progress(listConnectionSteps(trace.facts, tested, null)))
  const testing = testCredentials(
    { baseUrl, apiKey: apiKey ?? NO_KEY },
    { network: { open: (options) => network.open({ ...options, trace }) }, signal: ending, hasAnswered, clock },
  )
  // Finding the route has no time limit of its own.
  const end = await raceAbort(testing, ending)
    .then((): ConnectionOutcome => 'accepted')
    .catch((thrown: unknown): ConnectionOutcome => {
      if (signal.aborted || !(thrown instanceof ProblemError)) throw thrown
      return thrown
    })
    .finally(cancel)
  const isOfKey = end === 'accepted' || end.problem.code === 'key_rejected'
  return listConnectionSteps(trace.facts, tested, apiKey === null && isOfKey ? keyMissing() : end)
}
