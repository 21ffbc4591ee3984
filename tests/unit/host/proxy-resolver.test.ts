import { describe, expect, it } from 'vitest'
import { ProxyResolver, findEnvironmentProxy, parsePacResult } from '../../../src/host/proxy-resolver.ts'
import { ProxyLogins } from '../../../src/host/proxy-logins.ts'
import type { Preferences } from '../../../src/shared/preferences.ts'
import { DIRECT_ROUTE, parseProxy, formatProxy, toProxyRoute } from '../../../src/shared/proxy.ts'

/** Behaviour of the keychain; it "seals" by reversing the text. */
type Sealing = 'seals' | 'keeps nothing' | 'is locked' | 'is broken'

const loginsOf = (values: Record<string, unknown> = {}, sealing: Sealing = 'seals') => {
  const backwards = (text: string): string => text.split('').toReversed().join('')
  const fail = () => Promise.reject(new Error('The keychain does not answer.'))
  return new ProxyLogins(
    { get: (key) => values[key], set: (next) => void Object.assign(values, next) },
    {
      seal: (text) =>
        sealing === 'is broken' ? fail() : Promise.resolve(sealing === 'keeps nothing' ? null : backwards(text)),
      unseal: (text) => (sealing === 'is locked' ? fail() : Promise.resolve(backwards(text))),
    },
  )
}

const API = 'https://api.platform.example'

describe('proxies from the environment', () => {
  const of = (env: NodeJS.ProcessEnv, url = `${API}/inboxes`): string | null => findEnvironmentProxy(new URL(url), env)

  it.each([
    [{ HTTPS_PROXY: 'http://p.example:8080' }, 'http://p.example:8080'],
    [{ https_proxy: 'p.example:3128' }, 'http://p.example:3128'],
    [{ https_proxy: 'https://p.example' }, 'https://p.example:443'],
    [{ all_proxy: 'socks5h://p.example:1080' }, 'socks5://p.example:1080'],
    [{ ALL_PROXY: 'p.example', HTTPS_PROXY: 'q.example' }, 'http://q.example:80'],
    [{ https_proxy: 'small.example', HTTPS_PROXY: 'large.example' }, 'http://small.example:80'],
    [{ https_proxy: 'http://mara:p%40ss@p.example' }, 'http://mara:p%40ss@p.example:80'],
    [{ HTTP_PROXY: 'p.example' }, null],
    [{ HTTPS_PROXY: 'ftp://p.example' }, null],
    [{ HTTPS_PROXY: '' }, null],
    [{}, null],
  ] as const)('%j', (env, way) => {
    expect(of(env)).toBe(way)
  })

  it.each([
    ['*', true],
    ['api.platform.example', true],
    ['platform.example', true],
    ['.platform.example', true],
    ['*.platform.example', true],
    ['PLATFORM.EXAMPLE', true],
    ['form.example', false],
    ['api.platform.example:443', true],
    ['api.platform.example:8443', false],
    ['a.example, b.example,platform.example', true],
    ['a.example b.example', false],
    ['.', false],
    ['', false],
  ])('NO_PROXY=%s', (exceptions, isExcept) => {
    expect(of({ HTTPS_PROXY: 'p.example', NO_PROXY: exceptions })).toBe(isExcept ? DIRECT_ROUTE : 'http://p.example:80')
  })

  it.each([
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3:8443', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['fd00::1', 'https://[fd00::1]', true],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['nonsense/8', 'https://10.1.2.3', false],
  ])('NO_PROXY=%s for %s', (exceptions, url, isExcept) => {
    expect(of({ HTTPS_PROXY: 'p.example', NO_PROXY: exceptions }, url)).toBe(
      isExcept ? DIRECT_ROUTE : 'http://p.example:80',
    )
  })
})

describe('the result of a PAC file', () => {
  it.each([
    ['DIRECT', [DIRECT_ROUTE]],
    ['PROXY p.example:8080', ['http://p.example:8080']],
    [
      'PROXY p.example:8080; SOCKS5 q.example:1080; DIRECT',
      ['http://p.example:8080', 'socks5://q.example:1080', DIRECT_ROUTE],
    ],
    ['HTTPS p.example:443;SOCKS q.example', ['https://p.example:443', 'socks5://q.example:1080']],
    ['QUIC p.example:443', [DIRECT_ROUTE]],
    ['', [DIRECT_ROUTE]],
  ])('%s', (answer, ways) => {
    expect(parsePacResult(answer)).toEqual(ways)
  })
})

describe('the route to a server', () => {
  const open = (
    choice: Preferences['proxy'],
    env: NodeJS.ProcessEnv = {},
    system: string | null = 'PROXY system.example:1',
  ) =>
    new ProxyResolver({
      preferences: () => ({ proxy: choice, proxyAddress: 'chosen.example:8080' }),
      env,
      system: system === null ? null : () => Promise.resolve(system),
      logins: loginsOf(),
      changed: () => undefined,
    })

  it.each([
    ['the one that a person has chosen', open('this', { HTTPS_PROXY: 'env.example' }), ['http://chosen.example:8080']],
    ['none, where a person wants none', open('none', { HTTPS_PROXY: 'env.example' }), [DIRECT_ROUTE]],
    [
      'the environment’s before the system’s',
      open('system', { HTTPS_PROXY: 'env.example' }),
      ['http://env.example:80'],
    ],
    ['the system’s', open('system'), ['http://system.example:1']],
    [
      'none, where an exception of the environment says so',
      open('system', { https_proxy: 'a', no_proxy: '*' }),
      [DIRECT_ROUTE],
    ],
    ['none in a browser whose environment names none', open('system', {}, null), [DIRECT_ROUTE]],
  ])('is %s', async (_which, proxies, ways) => {
    expect(await proxies.to(API)).toEqual(ways)
  })

  it.each([null, '', 'a b'])('is missing if the chosen proxy can’t be read: %j', async (proxyAddress) => {
    const proxies = new ProxyResolver({
      preferences: () => ({ proxy: 'this', proxyAddress }),
      ...{ env: { ALL_PROXY: 'env.example' }, system: null, logins: loginsOf(), changed: () => undefined },
    })
    expect(await proxies.to(API)).toEqual([])
    expect(await proxies.to('http://localhost:1')).toEqual([DIRECT_ROUTE])
  })

  it.each([
    'http://127.0.0.1:8025',
    'http://localhost:1',
    'http://demo.localhost',
    'http://[::1]:80',
    'http://127.9.9.9',
  ])('is direct to this computer, whatever is chosen: %s', async (url) => {
    expect(await open('this').to(url)).toEqual([DIRECT_ROUTE])
    expect(await open('system', { ALL_PROXY: 'env.example' }).to(url)).toEqual([DIRECT_ROUTE])
  })
})

describe('the kind of route to the platform, and its source', () => {
  const of = (
    choice: Preferences['proxy'],
    parts: { address?: string; env?: NodeJS.ProcessEnv; system?: string | null } = {},
  ) => {
    const { address = 'socks5://mara:s3cret@chosen.example', env = {}, system = null } = parts
    return new ProxyResolver({
      preferences: () => ({ proxy: choice, proxyAddress: address }),
      ...{ env, logins: loginsOf(), changed: () => undefined },
      system: system === null ? null : () => Promise.resolve(system),
    })
  }

  it.each([
    [of('this'), API, { kind: 'socks5', by: 'person' }],
    [of('this', { address: 'a b' }), API, { kind: 'unreadable', by: 'person' }],
    [of('this'), 'http://localhost:1', { kind: 'direct', by: 'here' }],
    [of('none'), API, { kind: 'direct', by: 'person' }],
    [of('system', { env: { HTTPS_PROXY: 'https://p.example' } }), API, { kind: 'https', by: 'environment' }],
    [of('system', { env: { HTTPS_PROXY: 'p', NO_PROXY: '*' } }), API, { kind: 'direct', by: 'environment' }],
    [of('system', { system: 'PROXY p.example:1; DIRECT' }), API, { kind: 'http', by: 'system' }],
    [of('system', { system: 'DIRECT' }), API, { kind: 'direct', by: 'system' }],
    [of('system'), API, { kind: 'direct', by: 'nobody' }],
  ])('is described without a name (%#)', async (proxies, url, kind) => {
    expect(await proxies.kindOf(url)).toEqual(kind)
  })
})

describe('a proxy as users write it', () => {
  it.each([
    ['p.example:8080', 'http://p.example:8080'],
    [' HTTP://P.example ', 'http://p.example:80'],
    ['https://p.example:443', 'https://p.example:443'],
    ['socks5h://10.0.0.1', 'socks5://10.0.0.1:1080'],
    ['[fd00::1]:3128', 'http://[fd00::1]:3128'],
    ['mara:secret@p.example', 'http://p.example:80'],
    ['mara%40corp:p%3Aw%zz@p.example', 'http://p.example:80'],
  ])('%s is shown as %s, without its login', (written, shown) => {
    const proxy = parseProxy(written)
    expect(proxy === null ? null : formatProxy(proxy)).toBe(shown)
  })

  it.each([
    '',
    'ftp://p.example',
    'p.example:0',
    'p.example:70000',
    'a b',
    'http://',
    'p.example/path',
    'p.example?q',
    'a:b:c',
  ])('%j is invalid', (written) => expect(parseProxy(written)).toBeNull())

  it('stays the same when written as a route', () => {
    const proxy = parseProxy('socks5://mara:a%2Fb%40c@p.example:9')
    expect(proxy).toMatchObject({ login: { name: 'mara', password: 'a/b@c' } })
    expect(parseProxy(proxy === null ? '' : toProxyRoute(proxy))).toEqual(proxy)
  })
})

describe('a proxy that requires a login', () => {
  const open = (
    values: Record<string, unknown>,
    seals: Sealing = 'seals',
    named: Partial<{ proxyAddress: string; env: NodeJS.ProcessEnv }> = {},
  ) => {
    let changes = 0
    const { proxyAddress = 'p.example:8080', env } = named
    const proxies = new ProxyResolver({
      preferences: () => ({ proxy: env === undefined ? 'this' : 'system', proxyAddress }),
      env: env ?? {},
      system: null,
      logins: loginsOf(values, seals),
      changed: () => (changes += 1),
    })
    const asking = { accountId: null, caller: 'window' }
    const handlers = proxies.handlers()
    const proxy = 'http://p.example:8080'
    const signIn = (name: string, password: string) => handlers['network.proxyLogin']({ proxy, name, password }, asking)
    const mayAsk = (of = proxy) => handlers['network.mayAskLogin']({ proxy: of }, asking)
    return { proxies, signIn, mayAsk, changes: () => changes }
  }

  it('gets it from then on, even after a restart, unreadable to others', async () => {
    const values = {}
    const { signIn, proxies, changes } = open(values)
    await signIn('mara', 's3cret:/@')
    expect(await proxies.to(API)).toEqual(['http://mara:s3cret%3A%2F%40@p.example:8080'])
    expect(changes()).toBe(1)
    expect(JSON.stringify(values)).not.toContain('s3cret')
    expect(await open(values).proxies.to(API)).toEqual(['http://mara:s3cret%3A%2F%40@p.example:8080'])
  })

  it('gets none once it is forgotten', async () => {
    const values = {}
    const { signIn, proxies } = open(values)
    await signIn('mara', 's3cret')
    await signIn('', '')
    expect(await proxies.to(API)).toEqual(['http://p.example:8080'])
    expect(await open(values).proxies.to(API)).toEqual(['http://p.example:8080'])
  })

  it('keeps it for this run only if nothing can seal it', async () => {
    const values = {}
    const { signIn, proxies } = open(values, 'keeps nothing')
    await signIn('mara', 's3cret')
    expect(await proxies.to(API)).toEqual(['http://mara:s3cret@p.example:8080'])
    expect(await open(values, 'keeps nothing').proxies.to(API)).toEqual(['http://p.example:8080'])
  })

  it.each([
    ['the environment', { env: { HTTPS_PROXY: 'http://mara:wrong@p.example:8080' } }],
    ['an address', { proxyAddress: 'http://mara:wrong@p.example:8080' }],
  ])('gets the login typed last, not the one %s names, until that is forgotten', async (_which, named) => {
    const values = {}
    const { signIn, proxies } = open(values, 'seals', named)
    expect(await proxies.to(API)).toEqual(['http://mara:wrong@p.example:8080'])
    await signIn('mara', 's3cret')
    expect(await proxies.to(API)).toEqual(['http://mara:s3cret@p.example:8080'])
    expect(await open(values, 'seals', named).proxies.to(API)).toEqual(['http://mara:s3cret@p.example:8080'])
    await signIn('', '')
    expect(await proxies.to(API)).toEqual(['http://mara:wrong@p.example:8080'])
  })

  it('is asked without it if the keychain fails, and accepts a new one', async () => {
    const values = {}
    await open(values).signIn('mara', 's3cret')
    const { signIn, proxies } = open(values, 'is locked')
    expect(await proxies.to(API)).toEqual(['http://p.example:8080'])
    await signIn('mara', 'n3w')
    expect(await proxies.to(API)).toEqual(['http://mara:n3w@p.example:8080'])
  })

  it('keeps it for this run if the keychain rejects it, and says so', async () => {
    const { signIn, proxies, changes } = open({}, 'is broken')
    await expect(signIn('mara', 's3cret')).rejects.toMatchObject({ problem: { code: 'storage_failed' } })
    expect(await proxies.to(API)).toEqual(['http://mara:s3cret@p.example:8080'])
    expect(changes()).toBe(1)
  })

  it('makes one window ask for it, once', () => {
    const { mayAsk } = open({})
    const answers = [mayAsk(), mayAsk(), mayAsk('p.example:8080'), mayAsk('http://q.example:8080')]
    expect(answers).toEqual([true, false, false, true])
  })

  it('is null for an invalid address', async () => {
    const { proxies } = open({})
    const input = { proxy: 'a b', name: 'mara', password: 's3cret' }
    const asking = { accountId: null, caller: 'window' }
    await expect(proxies.handlers()['network.proxyLogin'](input, asking)).rejects.toMatchObject({
      problem: { code: 'invalid_input' },
    })
  })
})
