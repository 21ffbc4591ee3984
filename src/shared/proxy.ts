import type { Problem } from './result.ts'

/** How servers are reached: directly, or through a proxy. */
export const PROXY_CHOICES = ['system', 'none', 'this'] as const
export type ProxyChoice = (typeof PROXY_CHOICES)[number]

/** A way to a server: through a proxy, as `wayThrough` writes it, or with none between. */
export type WayOut = string
export const DIRECT: WayOut = 'direct'

const PORTS = { http: 80, https: 443, socks5: 1080 } as const

export interface Proxy {
  readonly protocol: keyof typeof PORTS
  /** A name or an address; one of IPv6 in brackets. */
  readonly host: string
  readonly port: number
  /** The name and password that it wants; null where none were said. */
  readonly login: { readonly name: string; readonly password: string } | null
}

/**
 * Who says by which way a server is reached: a person in the settings, the environment, or the system; `here` if the server is on
 * this computer, `nobody` if no proxy is named anywhere.
 */
export type WayNamer = 'person' | 'environment' | 'system' | 'here' | 'nobody'

/** What may be told of the way to a server to somebody who is to know no names. */
export interface WayKind {
  readonly kind: 'direct' | 'unreadable' | keyof typeof PORTS
  readonly by: WayNamer
}

/** The proxy that leads to a server, or that has refused to. */
export interface ProxyInUse {
  /** As `shownProxy` writes it. */
  readonly address: string
  /** As whom Linnet signs in there; null where it does not. */
  readonly name: string | null
}

/** The proxy that let a request through only with another name and password; null for a problem of any other kind. */
export const proxyThatAsks = ({ details }: Problem): ProxyInUse | null => {
  const { proxyAsks, proxyName } = details ?? {}
  if (typeof proxyAsks !== 'string') return null
  return { address: proxyAsks, name: typeof proxyName === 'string' ? proxyName : null }
}

const SHAPE =
  /^(?:(https?|socks(?:5h?)?):\/\/)?(?:([^\s:/@]*)(?::([^\s/@]*))?@)?(\[[\da-f:.]+\]|[^\s:/@[\]?#]+)(?::(\d{1,5}))?\/?$/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Reads a proxy as people write it: `proxy.example:8080`, with or without `http://`, `https://`, `socks5://` (also `socks://`,
 * `socks5h://`), a name and a password.
 * @returns null for what is none
 */
export const readProxy = (text: string): Proxy | null => {
  const [, scheme = 'http', name, password = '', host, digits] = SHAPE.exec(text.trim()) ?? []
  if (host === undefined) return null
  const written = scheme.toLowerCase()
  const protocol = written === 'http' || written === 'https' ? written : 'socks5'
  const port = digits === undefined ? PORTS[protocol] : Number(digits)
  if (port < 1 || port > 65_535) return null
  const login = name === undefined ? null : { name: decoded(name), password: decoded(password) }
  return { protocol, host: host.toLowerCase(), port, login }
}

/** A proxy without its name and password, as it is shown, logged and known again: `http://proxy.example:8080`. */
export const shownProxy = ({ protocol, host, port }: Proxy): string => `${protocol}://${host}:${port}`

/** The way through a proxy, with the name and password that it wants. */
export const wayThrough = (proxy: Proxy): WayOut => {
  const { protocol, host, port, login } = proxy
  const before = login === null ? '' : `${encodeURIComponent(login.name)}:${encodeURIComponent(login.password)}@`
  return `${protocol}://${before}${host}:${port}`
}
