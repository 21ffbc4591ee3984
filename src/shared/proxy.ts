import type { Problem } from './result.ts'

/** A route to a server: `DIRECT`, or through a proxy as formatted by `toProxyRoute`. */
export type ProxyRoute = string
export const DIRECT_ROUTE: ProxyRoute = 'direct'

const PORTS = { http: 80, https: 443, socks5: 1080 } as const

export interface Proxy {
  readonly protocol: keyof typeof PORTS
  /** A host name or IP address; IPv6 in brackets. */
  readonly host: string
  readonly port: number
  readonly login: { readonly name: string; readonly password: string } | null
}

/**
 * Source of the route. `person`: the user's preferences. `here`: the server is local. `nobody`: no proxy is configured.
 */
export type RouteSource = 'person' | 'environment' | 'system' | 'here' | 'nobody'

/** A route without host or login names, safe to share. */
export interface RouteKind {
  readonly kind: 'direct' | 'unreadable' | keyof typeof PORTS
  readonly by: RouteSource
}

/** The proxy on the way to a server, or the proxy that rejected Linnet. */
export interface ProxyInUse {
  /** Formatted by `formatProxy`. */
  readonly address: string
  /** Login name used for the proxy, or null. */
  readonly name: string | null
}

/** The proxy that requires a different name and password; null for any other problem. */
export const findProxyNeedingLogin = ({ details }: Problem): ProxyInUse | null => {
  const { proxyAsks, proxyName } = details ?? {}
  if (typeof proxyAsks !== 'string') return null
  return { address: proxyAsks, name: typeof proxyName === 'string' ? proxyName : null }
}

const SHAPE =
  /^(?:(https?|socks(?:5h?)?):\/\/)?(?:([^\s:/@]*)(?::([^\s/@]*))?@)?(\[[\da-f:.]+\]|[^\s:/@[\]?#]+)(?::(\d{1,5}))?\/?$/i

const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses `proxy.example:8080`, also with a login, `http://`, `https://`, `socks5://`, `socks://` or `socks5h://`. */
export const parseProxy = (text: string): Proxy | null => {
  const [, scheme = 'http', name, password = '', host, digits] = SHAPE.exec(text.trim()) ?? []
  if (host === undefined) return null
  const written = scheme.toLowerCase()
  const protocol = written === 'http' || written === 'https' ? written : 'socks5'
  const port = digits === undefined ? PORTS[protocol] : Number(digits)
  if (port < 1 || port > 65_535) return null
  const login = name === undefined ? null : { name: decodePart(name), password: decodePart(password) }
  return { protocol, host: host.toLowerCase(), port, login }
}

/** A proxy without its login, for display, logging and comparison: `http://proxy.example:8080`. */
export const formatProxy = ({ protocol, host, port }: Proxy): string => `${protocol}://${host}:${port}`

/** The route through a proxy, with its login. */
export const toProxyRoute = (proxy: Proxy): ProxyRoute => {
  const { protocol, host, port, login } = proxy
  const before = login === null ? '' : `${encodeURIComponent(login.name)}:${encodeURIComponent(login.password)}@`
  return `${protocol}://${before}${host}:${port}`
}
