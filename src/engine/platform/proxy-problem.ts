import { parseProxy, formatProxy, type ProxyInUse, type ProxyRoute } from '../../shared/proxy.ts'

const SENTENCES = {
  asks: 'requires a name and password.',
  declined: 'did not accept this name and password.',
  dead: 'does not answer. Check your proxy settings, or try again later.',
  refused: 'could not reach the platform. Try again later.',
} as const

/** A proxy didn't let the request through, so the server never got it. */
export class ProxyError extends Error {
  readonly code = 'LINNET_PROXY'
  readonly kind: keyof typeof SENTENCES
  readonly proxy: ProxyInUse

  /** @param kind `asks` becomes `declined` if credentials were sent */
  constructor(route: ProxyRoute, kind: Exclude<keyof typeof SENTENCES, 'declined'>, cause: unknown) {
    const proxy = parseProxy(route)
    const address = proxy === null ? '' : formatProxy(proxy)
    const name = proxy?.login?.name ?? null
    const said = kind === 'asks' && name !== null ? 'declined' : kind
    super(`The proxy ${address} ${SENTENCES[said]}`, { cause })
    this.name = 'ProxyError'
    this.kind = said
    this.proxy = { address, name }
  }

  get isAsking(): boolean {
    return this.kind === 'asks' || this.kind === 'declined'
  }
}

/** Undici's message when a proxy rejects the connection. */
const STATUS = /^Proxy (?:response|Authentication Required) \((\d+)\)/
/** Undici's codes for SOCKS5, which has no status. */
const SOCKS_AUTH_FAILED = /^UND_ERR_SOCKS5_AUTH_(?:REJECTED|FAILED)$/
const SOCKS_REFUSED = 'UND_ERR_SOCKS5_REPLY_'
/** Codes that mean the proxy itself was unreachable. Failures behind it are reported as a status. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKS5\w*)$/

const codeOf = (thrown: unknown): string =>
  thrown instanceof AggregateError && thrown.errors.length > 0
    ? codeOf(thrown.errors[0])
    : thrown instanceof Error && 'code' in thrown
      ? String(thrown.code)
      : ''

/** Returns null if the problem is the server's. */
export const toProxyProblem = (route: ProxyRoute, thrown: unknown): ProxyError | null => {
  const status = thrown instanceof Error ? STATUS.exec(thrown.message)?.[1] : undefined
  if (status !== undefined) return new ProxyError(route, status === '407' ? 'asks' : 'refused', thrown)
  const code = codeOf(thrown)
  if (SOCKS_AUTH_FAILED.test(code)) return new ProxyError(route, 'asks', thrown)
  if (code.startsWith(SOCKS_REFUSED)) return new ProxyError(route, 'refused', thrown)
  return NO_CONNECTION.test(code) ? new ProxyError(route, 'dead', thrown) : null
}
