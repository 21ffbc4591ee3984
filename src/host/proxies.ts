import ipaddr from 'ipaddr.js'
import type { Handlers } from '../shared/contract.ts'
import type { Preferences } from '../shared/preferences.ts'
import {
  DIRECT,
  readProxy,
  shownProxy,
  wayThrough,
  type Proxy,
  type ProxyInUse,
  type WayKind,
  type WayNamer,
  type WayOut,
} from '../shared/proxy.ts'
import { ProblemError } from '../shared/result.ts'
import type { ProxyLogins } from './proxy-logins.ts'

interface ProxiesParts {
  readonly preferences: () => Pick<Preferences, 'proxy' | 'proxyAddress'>
  readonly env: NodeJS.ProcessEnv
  /** What the system says of an address, in the words of a PAC file (`PROXY a:8080; DIRECT`); null in a browser. */
  readonly system: ((url: string) => Promise<string>) | null
  readonly logins: ProxyLogins
  /** The ways are others from now on. */
  readonly changed: () => void
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** This computer is never asked through another one. */
const isHere = (hostname: string): boolean => {
  const host = bare(hostname)
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

/**
 * Whether an entry of `NO_PROXY` is about a host: a name and all below it, with or without a dot or a star in front; an address or a
 * range of them; each with a port where only that one is meant.
 */
const isExcept = (entry: string, { hostname, port, protocol }: URL): boolean => {
  const host = bare(hostname)
  if (entry === '*') return true
  if (entry.includes('/')) return isWithin(host, entry)
  const [, name = '', ofPort = null] = /^(\[.*\]|[^:]*|.*:.*:.*)(?::(\d+))?$/.exec(entry) ?? []
  const usual = protocol === 'https:' ? '443' : '80'
  if (ofPort !== null && ofPort !== (port === '' ? usual : port)) return false
  const wanted = bare(name).replace(/^\*?\./, '')
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`))
}

/**
 * The proxy that the environment names for an address, by the names that curl reads, in small letters or capitals.
 * @returns null where it names none for it; this computer is asked directly whatever it names
 */
export const proxyOfEnvironment = (url: URL, env: NodeJS.ProcessEnv): WayOut | null => {
  if (isHere(url.hostname)) return DIRECT
  const read = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''
  const named = read(`${url.protocol.slice(0, -1)}_proxy`) || read('all_proxy')
  const proxy = named === '' ? null : readProxy(named)
  if (proxy === null) return null
  const exceptions = read('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  return exceptions.some((entry) => isExcept(entry, url)) ? DIRECT : wayThrough(proxy)
}

/** @throws ProblemError `invalid_input` for what is none */
const proxyAt = (address: string): Proxy => {
  const proxy = readProxy(address)
  if (proxy === null) throw new ProblemError({ code: 'invalid_input', message: 'This is not a proxy address.' })
  return proxy
}

const KINDS: Readonly<Record<string, string>> = { PROXY: 'http', HTTPS: 'https', SOCKS5: 'socks5', SOCKS: 'socks5' }

/** What a PAC file answers, best first. What Linnet cannot use is left out; where that is all of it, nothing is in between. */
export const waysOfPac = (answer: string): readonly WayOut[] => {
  const ways = answer.split(';').flatMap((each): readonly WayOut[] => {
    const [kind = '', address = ''] = each.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return [DIRECT]
    const protocol = KINDS[kind.toUpperCase()]
    const proxy = protocol === undefined ? null : readProxy(`${protocol}://${address}`)
    return proxy === null ? [] : [wayThrough(proxy)]
  })
  return ways.length === 0 ? [DIRECT] : ways
}

/** Which proxy leads to a server: the one that a person has chosen, the environment's, or the system's. */
export class Proxies {
  readonly #parts: ProxiesParts
  /** Proxies for which a window has asked for a name and a password by itself. */
  readonly #askedFor = new Set<string>()

  constructor(parts: ProxiesParts) {
    this.#parts = parts
  }

  /**
   * The ways to an address, the best first, with the name and password that each wants. What a person has chosen is not gone
   * round: there is no way where it cannot be read.
   */
  async to(address: string): Promise<readonly WayOut[]> {
    const { ways } = await this.#named(new URL(address))
    return Promise.all(ways.map((way) => this.#withLogin(way)))
  }

  async kindOf(address: string): Promise<WayKind> {
    const { ways, by } = await this.#named(new URL(address))
    const [way = ''] = ways
    return { kind: way === DIRECT ? 'direct' : (readProxy(way)?.protocol ?? 'unreadable'), by }
  }

  handlers(): Handlers<'network.proxy' | 'network.proxyLogin' | 'network.mayAskLogin'> {
    return {
      'network.proxy': ({ baseUrl }) => this.#inUse(baseUrl),
      'network.proxyLogin': async ({ proxy, name, password }) => {
        const at = proxyAt(proxy)
        try {
          await this.#parts.logins.keep(at, name === '' ? null : { name, password })
        } catch (cause) {
          const message = 'The name and password could not be saved. They are used until you quit Linnet.'
          throw new ProblemError({ code: 'storage_failed', message }, { cause })
        } finally {
          this.#parts.changed()
        }
      },
      'network.mayAskLogin': ({ proxy }) => {
        const address = shownProxy(proxyAt(proxy))
        const isFirst = !this.#askedFor.has(address)
        this.#askedFor.add(address)
        return isFirst
      },
    }
  }

  async #inUse(baseUrl: string): Promise<ProxyInUse | null> {
    const [way = DIRECT] = await this.to(baseUrl)
    const proxy = way === DIRECT ? null : readProxy(way)
    return proxy === null ? null : { address: shownProxy(proxy), name: proxy.login?.name ?? null }
  }

  async #named(url: URL): Promise<{ readonly ways: readonly WayOut[]; readonly by: WayNamer }> {
    const { preferences, env, system } = this.#parts
    const { proxy: choice, proxyAddress } = preferences()
    if (isHere(url.hostname)) return { ways: [DIRECT], by: 'here' }
    if (choice === 'none') return { ways: [DIRECT], by: 'person' }
    if (choice === 'this') {
      const chosen = readProxy(proxyAddress ?? '')
      return { ways: chosen === null ? [] : [wayThrough(chosen)], by: 'person' }
    }
    const named = proxyOfEnvironment(url, env)
    if (named !== null) return { ways: [named], by: 'environment' }
    if (system === null) return { ways: [DIRECT], by: 'nobody' }
    return { ways: waysOfPac(await system(url.origin)), by: 'system' }
  }

  async #withLogin(way: WayOut): Promise<WayOut> {
    const proxy = way === DIRECT ? null : readProxy(way)
    if (proxy === null) return way
    // What a person has typed last comes before what the environment or an address names.
    return wayThrough({ ...proxy, login: (await this.#parts.logins.at(proxy)) ?? proxy.login })
  }
}
