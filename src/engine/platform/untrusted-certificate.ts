import type { PeerCertificate, SecureContext, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { toVisibleText } from '../../shared/visible-text.ts'
import { systemClock } from '../timing/clock.ts'

/** Limits for display: characters of a certificate name, and number of server names. */
const LONGEST_NAME = 60
const MAX_NAMES = 3
/** Longest certificate chain followed; real ones have three or four. */
const LONGEST_CHAIN = 10

/** Quotes an untrusted name: it can't close the quotes, change the text direction or hide characters. */
const quoted = (name: unknown): string => {
  const line = toVisibleText(String(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}“”„‟«»"]/gu, ' '))
  return `“${line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, '')}…` : line}”`
}

const nameOf = (named: Partial<PeerCertificate['subject']> | undefined): string =>
  quoted(named?.CN ?? named?.O ?? 'no name')

const serversOf = ({ subject, subjectaltname = '' }: Partial<PeerCertificate>): string => {
  const names = subjectaltname.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
  if (subjectaltname === '') return nameOf(subject)
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return names.slice(0, MAX_NAMES).map(quoted).join(', ') + more
}

const dayOf = (time: number): string =>
  Number.isNaN(time) ? 'an unknown day' : new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(time)
const startOf = ({ valid_from: from = '' }: Partial<PeerCertificate>): number => Date.parse(from)
const endOf = ({ valid_to: to = '' }: Partial<PeerCertificate>): number => Date.parse(to)

/** The certificate followed by its issuers, up to the self-signed root if the server sent a complete chain. */
export const collectCertificateChain = (leaf: PeerCertificate): readonly PeerCertificate[] => {
  const chain: PeerCertificate[] = []
  let next: (PeerCertificate & { readonly issuerCertificate?: PeerCertificate }) | undefined = leaf
  while (next !== undefined && !chain.includes(next) && chain.length < LONGEST_CHAIN) {
    chain.push(next)
    next = next.issuerCertificate
  }
  return chain
}

export const describeCertificate = (leaf: PeerCertificate): string =>
  `It was issued to ${nameOf(leaf.subject)} by ${nameOf(leaf.issuer)}, valid until ${dayOf(endOf(leaf))}.`

/** The server's certificate isn't trusted. No part of the request was sent. */
export class UntrustedCertificateError extends Error {
  /** OpenSSL's code, or Node's for a wrong name. */
  readonly code: string
  readonly #host: string
  readonly #certificate: PeerCertificate

  constructor(code: string, host: string, certificate: PeerCertificate) {
    super('The certificate is not trusted.')
    this.name = 'UntrustedCertificateError'
    this.code = code
    this.#host = host
    this.#certificate = certificate
  }

  /** Explains the certificate and what to do. @param isTyped the user may have mistyped the address */
  describe(isTyped: boolean, now = systemClock.now()): string {
    const leaf = this.#certificate
    // Often an issuer's certificate has expired, not the server's.
    const outdated = collectCertificateChain(leaf).find((each) => startOf(each) > now || endOf(each) < now) ?? leaf
    const issued = ({ subject, issuer }: PeerCertificate): string =>
      `It was issued to ${nameOf(subject)} by ${nameOf(issuer)}`
    const until = `valid until ${dayOf(endOf(leaf))}`
    const clock = `Your computer’s date is ${dayOf(now)}. If that is wrong, set the clock. If it is right, tell the server’s administrator.`
    const check = isTyped ? ' Otherwise check the platform address.' : ''
    switch (this.code) {
      case 'CERT_HAS_EXPIRED':
        return `A certificate used by ${this.#host} expired on ${dayOf(endOf(outdated))}. Nothing was sent. ${issued(outdated)}. ${clock}`
      case 'CERT_NOT_YET_VALID':
        return `A certificate used by ${this.#host} is not valid until ${dayOf(startOf(outdated))}. Nothing was sent. ${issued(outdated)}. ${clock}`
      case 'ERR_TLS_CERT_ALTNAME_INVALID':
        return `The certificate at ${this.#host} is for another name: ${serversOf(leaf)}. Nothing was sent. It was issued by ${nameOf(leaf.issuer)}, ${until}. If this network has a sign-in page, open that first.${check}`
      case 'DEPTH_ZERO_SELF_SIGNED_CERT':
        return `The certificate used by ${this.#host} is self-signed, so no one vouches for it. Nothing was sent. It was issued to ${nameOf(leaf.subject)}, ${until}. If the server is yours, add its certificate to your computer and restart Linnet.${check}`
      default:
        return `Your computer does not trust the certificate used by ${this.#host}. Nothing was sent. ${issued(leaf)}, ${until}. If your company or a security program issued it, add its root certificate to your computer and restart Linnet. Otherwise use another network.`
    }
  }
}

/** Undici's connector returns its socket, though the types don't say so. Only the connection details depend on it. */
export type SocketConnector = (...asked: Parameters<buildConnector.connector>) => unknown

/**
 * Connects over https only with a trusted certificate, else fails with `UntrustedCertificateError`.
 * @param trusted called at the first https connection @param begun receives each socket
 */
export const createCheckedConnector = (
  build: typeof buildConnector,
  options: buildConnector.BuildOptions,
  trusted: () => SecureContext,
  begun?: (socket: unknown) => void,
): buildConnector.connector => {
  const plain: SocketConnector = build(options)
  let secure: SocketConnector | null = null
  return (to, callback) => {
    if (to.protocol !== 'https:') {
      const socket = plain(to, callback)
      begun?.(socket)
      return
    }
    secure ??= build({ ...options, secureContext: trusted() })
    let shown: PeerCertificate | null = null
    const socket = secure(to, (...made) => {
      const [failed] = made
      if (failed === null || shown === null) callback(...made)
      else
        callback(new UntrustedCertificateError('code' in failed ? String(failed.code) : '', to.hostname, shown), null)
    }) as TLSSocket | undefined
    // Runs before Node's own check, because the certificate can't be read after a rejection.
    socket?.prependOnceListener('secure', () => {
      shown = socket.getPeerCertificate(true)
    })
    begun?.(socket)
  }
}
