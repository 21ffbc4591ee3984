import { readProxy, shownProxy, type WayOut } from '../../shared/proxy.ts'

const SENTENCES = {
  asks: 'wants a name and a password. Enter them in Settings › Network.',
  dead: 'does not answer. Check it in Settings › Network, or try again later.',
  refused: 'could not reach the platform. Try again later.',
} as const

/** A proxy that did not let a request through: it never left it. */
export class ProxyProblem extends Error {
  readonly code = 'LINNET_PROXY'
  readonly kind: keyof typeof SENTENCES

  constructor(way: WayOut, kind: keyof typeof SENTENCES, cause: unknown) {
    const proxy = readProxy(way)
    super(`The proxy ${proxy === null ? '' : shownProxy(proxy)} ${SENTENCES[kind]}`, { cause })
    this.name = 'ProxyProblem'
    this.kind = kind
  }
}

/** How undici says that a proxy did not open a way. */
const STATUS = /^Proxy (?:response|Authentication Required) \((\d+)\)/
/** The connection that was tried is the one to the proxy: what lies behind it is answered by a status. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKS5\w*)$/

const codeOf = (thrown: unknown): string =>
  thrown instanceof AggregateError && thrown.errors.length > 0
    ? codeOf(thrown.errors[0])
    : thrown instanceof Error && 'code' in thrown
      ? String(thrown.code)
      : ''

/** What a failure over a proxy means; null where it is the server's. */
export const proxyProblem = (way: WayOut, thrown: unknown): ProxyProblem | null => {
  const status = thrown instanceof Error ? STATUS.exec(thrown.message)?.[1] : undefined
  if (status !== undefined) return new ProxyProblem(way, status === '407' ? 'asks' : 'refused', thrown)
  return NO_CONNECTION.test(codeOf(thrown)) ? new ProxyProblem(way, 'dead', thrown) : null
}
