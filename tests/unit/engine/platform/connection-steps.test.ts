import { describe, expect, it } from 'vitest'
import { toRefusal, toUnreachableError } from '../../../../src/engine/platform/platform-problem.ts'
import { CaptivePortalError } from '../../../../src/engine/platform/captive-portal.ts'
import { listConnectionSteps } from '../../../../src/engine/platform/test-connection.ts'
import { NO_CONNECTION_DETAILS, type ConnectionDetails } from '../../../../src/engine/platform/connection-trace.ts'
import { ProxyError } from '../../../../src/engine/platform/proxy-problem.ts'
import type { RouteSource } from '../../../../src/shared/proxy.ts'
import { ProblemError } from '../../../../src/shared/result.ts'

const PROXY = 'http://mara:s3cret@proxy.example:8080'
const DIRECTLY: ConnectionDetails = { ...NO_CONNECTION_DETAILS, routes: ['direct'] }
const THROUGH: ConnectionDetails = { ...NO_CONNECTION_DETAILS, routes: [PROXY] }
const DONE: ConnectionDetails = {
  ...DIRECTLY,
  ...{ addresses: 2, connectedIn: 11.6, answeredIn: 1_234 },
  certificate: { words: 'It was issued to “a” by “b”, valid until 3 May 2027.', list: 'builtIn' },
}

const said = (
  facts: ConnectionDetails,
  end: ProblemError | 'well' | 'on',
  { url = 'https://api.example', by = 'nobody' }: { readonly url?: string; readonly by?: RouteSource } = {},
): readonly string[] =>
  listConnectionSteps(facts, { url: new URL(url), by }, end === 'on' ? null : end === 'well' ? 'accepted' : end).map(
    ({ name, state, words }) => `${name} ${state}: ${words}`,
  )

const failed = (code: string): ProblemError => toUnreachableError(Object.assign(new Error('x'), { code }))

describe('connection steps', () => {
  it('all report success', () => {
    expect(said(DONE, 'well')).toEqual([
      'way well: Linnet connects to api.example directly, because no proxy is set.',
      'name well: api.example has 2 addresses.',
      'line well: Connected to api.example in 12 ms.',
      'certificate well: It was issued to “a” by “b”, valid until 3 May 2027. Linnet trusts its issuer.',
      'platform well: api.example answered as a mail platform in 1.2 s.',
      'key well: The platform accepts your API key, which has full access.',
    ])
  })

  it.each([
    ['person', 'directly, as set in Settings › Network.', 'set in Settings › Network.'],
    ['environment', 'directly, as set by NO_PROXY in the environment.', 'set by the environment.'],
    ['system', 'directly, because your system sets no proxy for it.', 'set by your system.'],
    ['here', 'directly, because it is on this computer.', null],
    ['nobody', 'directly, because no proxy is set.', null],
  ] as const)('name who configured the route: %s', (by, direct, proxy) => {
    expect(said(DIRECTLY, 'on', { by })).toEqual([`way well: Linnet connects to api.example ${direct}`])
    if (proxy === null) return
    expect(said(THROUGH, 'on', { by })).toEqual([
      `way well: Linnet connects through the proxy http://proxy.example:8080, ${proxy}`,
      'name well: The proxy looks up api.example.',
    ])
  })

  it('are reported as they happen', () => {
    expect(said(NO_CONNECTION_DETAILS, 'on')).toEqual([])
    expect(said({ ...DIRECTLY, addresses: 1 }, 'on').at(-1)).toBe('name well: api.example has one address.')
    expect(said(DIRECTLY, 'on', { url: 'https://[::1]:8443' }).at(-1)).toBe(
      'name well: [::1] is an IP address, so no lookup is needed.',
    )
    expect(said({ ...DONE, certificate: null, answeredIn: null }, 'on').at(-1)).toMatch(/^line well/)
    expect(said(DONE, 'on').at(-1)).toMatch(/^certificate well/)
    expect(said({ ...DIRECTLY, connectedIn: 0.2 }, 'on', { url: 'http://localhost' }).slice(2)).toEqual([
      'line well: Connected to localhost in 1 ms.',
      'certificate well: The connection is not encrypted. It does not leave this computer.',
    ])
  })

  it('include the proxy’s steps, and an earlier proxy that didn’t answer', () => {
    const facts = { ...DONE, routes: ['socks5://dead.example:1080', PROXY], addresses: null, isTunnelOpen: true }
    expect(said(facts, 'well', { by: 'system' }).slice(0, 4)).toEqual([
      'way well: Linnet connects through the proxy http://proxy.example:8080, set by your system. socks5://dead.example:1080 did not answer.',
      'name well: The proxy looks up api.example.',
      'line well: Connected to the proxy in 12 ms.',
      'proxy well: The proxy connected to api.example. It accepted your name and password.',
    ])
    expect(said({ ...facts, routes: [PROXY, 'direct'] }, 'on')[0]).toBe(
      'way well: Linnet connects to api.example directly. http://proxy.example:8080 did not answer.',
    )
    expect(said({ ...facts, routes: ['http://proxy.example:8080'] }, 'on')[3]).toMatch(/It needs no password\.$/)
  })

  it.each([
    ['builtIn', 'Linnet trusts its issuer.'],
    ['system', 'Your computer trusts its issuer.'],
    ['extra', 'Its issuer is listed in NODE_EXTRA_CA_CERTS.'],
    [null, 'It is trusted.'],
  ] as const)('say who trusts the certificate: %s', (list, words) => {
    expect(said({ ...DONE, certificate: { words: '', list } }, 'on').at(-1)).toBe(`certificate well:  ${words}`)
  })
})

const dead = new ProxyError(PROXY, 'dead', null)
const FAULTS: readonly (readonly [string, ConnectionDetails, ProblemError, number, string])[] = [
  [
    'a setting that cannot be read',
    NO_CONNECTION_DETAILS,
    failed('UNKNOWN'),
    0,
    'way wrong: The proxy in Settings › Network cannot be read. Enter it again.',
  ],
  ['a dead name', DIRECTLY, failed('ENOTFOUND'), 1, 'name wrong: This address does not exist, or you are offline.'],
  [
    'a dead port',
    { ...DIRECTLY, addresses: 1 },
    failed('ECONNREFUSED'),
    2,
    'line wrong: No server responds at this address. Check the address, or try again later.',
  ],
  ['a dead proxy', THROUGH, toUnreachableError(dead), 2, `line wrong: ${dead.message}`],
  [
    'a proxy that wants a login',
    { ...THROUGH, connectedIn: 1 },
    toUnreachableError(new ProxyError(PROXY, 'asks', null)),
    3,
    'proxy wrong: ',
  ],
  [
    'a proxy that refuses',
    { ...THROUGH, connectedIn: 1 },
    toUnreachableError(new ProxyError(PROXY, 'refused', null)),
    3,
    'proxy wrong: The proxy http://proxy.example:8080 could not reach the platform. Try again later.',
  ],
  [
    'no encryption',
    { ...DIRECTLY, addresses: 1, connectedIn: 1 },
    failed('EPROTO'),
    3,
    'certificate wrong: Linnet could not make a secure connection to this address. Check the platform address.',
  ],
  [
    'a certificate in a tunnel that tells nothing',
    { ...NO_CONNECTION_DETAILS, routes: ['socks5://p.example:1080'] },
    failed('SELF_SIGNED_CERT_IN_CHAIN'),
    4,
    'certificate wrong: Your computer does not trust this server’s certificate.',
  ],
  [
    'a proxy’s own certificate',
    { ...NO_CONNECTION_DETAILS, routes: ['https://p.example:443'], connectedIn: 1 },
    failed('DEPTH_ZERO_SELF_SIGNED_CERT'),
    3,
    'proxy wrong: Your computer does not trust this server’s certificate.',
  ],
  [
    'a sign-in page',
    { ...DONE, certificate: { words: '', list: null } },
    new CaptivePortalError('http://neverssl.com/', true),
    4,
    'platform wrong: This network wants you to sign in first. Open any page in your browser, sign in, and test again.',
  ],
  [
    'a sign-in by certificate',
    { ...DONE, certificate: null, answeredIn: null },
    new CaptivePortalError('http://neverssl.com/', false),
    3,
    'certificate wrong: This network wants you to sign in first.',
  ],
  [
    'a silent platform',
    { ...DONE, answeredIn: null },
    failed('ETIMEDOUT'),
    4,
    'platform wrong: The platform is taking too long to answer. Try again later.',
  ],
  [
    'another place',
    DONE,
    new ProblemError({ code: 'not_a_mail_platform', message: 'Not one.' }),
    4,
    'platform wrong: Not one.',
  ],
  [
    'a platform in trouble',
    DONE,
    toRefusal(503, null),
    4,
    'platform wrong: The platform reported an error. Try again in a moment.',
  ],
  [
    'a wrong key',
    DONE,
    toRefusal(401, null),
    5,
    'key wrong: The platform does not accept this API key. Check that it is complete and still active.',
  ],
  [
    'a key that only sends',
    DONE,
    toRefusal(401, { name: 'restricted_api_key', message: 'This API key can only send' }),
    5,
    'key wrong: This API key can only send mail. Linnet needs an API key with full access.',
  ],
]

describe('a failed connection', () => {
  it.each(FAULTS)('names the failed step, and leaves the rest untried: %s', (_name, facts, problem, place, words) => {
    const steps = said(facts, problem, { by: 'person' })
    expect(steps[place]).toContain(words)
    expect(steps.filter((step) => step.includes(' wrong: '))).toHaveLength(1)
    expect(steps.slice(0, place).every((step) => step.includes(' well: '))).toBe(true)
    expect(steps.slice(place + 1).every((step) => step.endsWith(' untried: Not tried.'))).toBe(true)
    expect(steps.at(-1)).toMatch(/^key /)
    expect(steps.join('\n')).not.toMatch(/mara|s3cret/)
  })

  it('isn’t attempted after the proxy rejected the credentials', () => {
    const declined = toUnreachableError(new ProxyError(PROXY, 'asks', null))
    expect(said(THROUGH, declined).slice(2, 5)).toEqual([
      'line untried: Not tried.',
      'proxy wrong: The proxy http://proxy.example:8080 did not accept this name and password.',
      'certificate untried: Not tried.',
    ])
  })

  it('isn’t attempted with an invalid key', () => {
    const steps = said(NO_CONNECTION_DETAILS, new ProblemError({ code: 'invalid_input', message: 'No key.' }))
    expect(steps.filter((step) => !step.endsWith(' untried: Not tried.'))).toEqual(['key wrong: No key.'])
  })
})
