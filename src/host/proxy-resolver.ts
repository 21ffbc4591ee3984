import ipaddr from 'ipaddr.js'
import type { Handlers } from '../shared/contract.ts'
import type { Preferences } from '../shared/preferences.ts'
import {
  DIRECT_ROUTE,
  parseProxy,
  formatProxy,
  toProxyRoute,
  type Proxy,
  type ProxyInUse,
  type RouteKind,
  type RouteSource,
  type ProxyRoute,
} from '../shared/proxy.ts'
import { createProblem } from '../shared/result.ts'
import type { ProxyLogins } from './proxy-logins.ts'

interface ProxiesParts {
  readonly preferences: () => Pick<Preferences, 'proxy' | 'proxyAddress'>
  readonly env: NodeJS.ProcessEnv
  /** The system's proxies for a URL, in PAC format (`PROXY a:8080; DIRECT`). Null in a browser. */
  readonly system: ((url: string) => Promise<string>) | null
  readonly logins: ProxyLogins
  readonly changed: () => void
}

const normalizeHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Loopback addresses never go through a proxy. */
const isLoopback = (hostname: string): boolean => {
  const host = normalizeHost(hostname)
  return /(?:^|\.)localhost$/.test(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
}

const isWithin = (host: string, range: string): boolean => {
  try {
    const address = ipaddr.process(host)
    const [start, bits] = ipaddr.parseCIDR(range)
    return address.kind() === start.kind() && address.match(start, bits)
  } catch {
    return false
  }
}

/** Matches a `NO_PROXY` entry: domain, `.name`, `*.name`, address or range, with an optional port. */
const isExempt = (entry: string, { hostname, port, protocol }: URL): boolean => {
  const host = normalizeHost(hostname)
  if (entry === '*') return true
  if (entry.includes('/')) return isWithin(host, entry)
  const [, name = '', ofPort = null] = /^(\[.*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/.exec(entry) ?? []
  const usual = protocol === 'https:' ? '443' : '80'
  if (ofPort !== null && ofPort !== (port === '' ? usual : port)) return false
  const wanted = normalizeHost(name).replace(/^\*?\./, '')
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`))
}

/** The environment's proxy, from the variables that curl reads, in either case. Null if none applies. */
export const findEnvironmentProxy = (url: URL, env: NodeJS.ProcessEnv): ProxyRoute | null => {
  if (isLoopback(url.hostname)) return DIRECT_ROUTE
  const read = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''
  const named = read(`${url.protocol.slice(0, -1)}_proxy`) || read('all_proxy')
  const proxy = named === '' ? null : parseProxy(named)
  if (proxy === null) return null
  const exceptions = read('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  return exceptions.some((entry) => isExempt(entry, url)) ? DIRECT_ROUTE : toProxyRoute(proxy)
}

/** @throws ProblemError `invalid_input` if it isn't a proxy address */
const requireProxy = (address: string): Proxy => {
  const proxy = parseProxy(address)
  if (proxy === null) throw createProblem('invalid_input', 'This is not a proxy address.')
  return proxy
}

const KINDS: Readonly<Record<string, string>> = { PROXY: 'http', HTTPS: 'https', SOCKS5: 'socks5', SOCKS: 'socks5' }

/** Usable routes of a PAC result, best first, or a direct one if none is usable. */
export const parsePacResult = (answer: string): readonly ProxyRoute[] => {
  const ways = answer.split(';').flatMap((each): readonly ProxyRoute[] => {
    const [kind = '', address = ''] = each.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return [DIRECT_ROUTE]
    const protocol = KINDS[kind.toUpperCase()]
    const proxy = protocol === undefined ? null : parseProxy(`${protocol}://${address}`)
    return proxy === null ? [] : [toProxyRoute(proxy)]
  })
  return ways.length === 0 ? [DIRECT_ROUTE] : ways
}

/** Chooses the proxy for a server: the user's, else the environment's, else the system's. */
export class ProxyResolver {
  readonly #parts: ProxiesParts
  /** Proxies whose login a window has already been allowed to request. */
  readonly #requestedLogins = new Set<string>()

  constructor(parts: ProxiesParts) {
    this.#parts = parts
  }

  /** Routes to an address, best first, with logins. A proxy the user chose is never bypassed, even if unreadable. */
  async to(address: string): Promise<readonly ProxyRoute[]> {
    const { ways } = await this.#chooseRoutes(new URL(address))
    return Promise.all(ways.map((way) => this.#withLogin(way)))
  }

  async kindOf(address: string): Promise<RouteKind> {
    const { ways, by } = await this.#chooseRoutes(new URL(address))
    const [way = ''] = ways
    return { kind: way === DIRECT_ROUTE ? 'direct' : (parseProxy(way)?.protocol ?? 'unreadable'), by }
  }

  handlers(): Handlers<'network.proxy' | 'network.proxyLogin' | 'network.mayAskLogin'> {
    return {
      'network.proxy': ({ baseUrl }) => this.#inUse(baseUrl),
      'network.proxyLogin': async ({ proxy, name, password }) => {
        const at = requireProxy(proxy)
        try {
          await this.#parts.logins.keep(at, name === '' ? null : { name, password })
        } catch (cause) {
          const message = 'The name and password could not be saved. Linnet will use them until you quit.'
          throw createProblem('storage_failed', message, cause)
        } finally {
          this.#parts.changed()
        }
      },
      'network.mayAskLogin': ({ proxy }) => {
        const address = formatProxy(requireProxy(proxy))
        const isFirst = !this.#requestedLogins.has(address)
        this.#requestedLogins.add(address)
        return isFirst
      },
    }
  }

  async #inUse(baseUrl: string): Promise<ProxyInUse | null> {
    const [way = DIRECT_ROUTE] = await this.to(baseUrl)
    const proxy = way === DIRECT_ROUTE ? null : parseProxy(way)
    return proxy === null ? null : { address: formatProxy(proxy), name: proxy.login?.name ?? null }
  }

  async #chooseRoutes(url: URL): Promise<{ readonly ways: readonly ProxyRoute[]; readonly by: RouteSource }> {
    const { preferences, env, system } = this.#parts
    const { proxy: choice, proxyAddress } = preferences()
    if (isLoopback(url.hostname)) return { ways: [DIRECT_ROUTE], by: 'here' }
    if (choice === 'none') return { ways: [DIRECT_ROUTE], by: 'person' }
    if (choice === 'this') {
      const chosen = parseProxy(proxyAddress ?? '')
      return { ways: chosen === null ? [] : [toProxyRoute(chosen)], by: 'person' }
    }
    const named = findEnvironmentProxy(url, env)
    if (named !== null) return { ways: [named], by: 'environment' }
    if (system === null) return { ways: [DIRECT_ROUTE], by: 'nobody' }
    return { ways: parsePacResult(await system(url.origin)), by: 'system' }
  }

  async #withLogin(way: ProxyRoute): Promise<ProxyRoute> {
    const proxy = way === DIRECT_ROUTE ? null : parseProxy(way)
    if (proxy === null) return way
    // A login the user typed wins over the environment's or the address's.
    return toProxyRoute({ ...proxy, login: (await this.#parts.logins.at(proxy)) ?? proxy.login })
  }
}
