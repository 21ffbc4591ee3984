import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../host/proof.ts'

/** Nobody opens so many windows without using one: the oldest tickets go. */
const MAX_TICKETS = 16

const newSecret = (): string => randomBytes(32).toString('base64url')
const keyOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** What a browser is told once its ticket is taken. */
export interface Admission {
  /** The value of `Set-Cookie`. */
  readonly cookie: string
  /** For the page's own storage. */
  readonly windowKey: string
}

/**
 * Who may see the mail: browsers that came with a ticket, and know what they were then given.
 *
 * A browser sends its cookies to every port of a host, so another program that listens on this machine may come to see
 * the cookie. What lies in the storage of a page is seen by its own port alone. Mail is given to who has both.
 */
export class Door {
  readonly #cookie: string
  readonly #session = newSecret()
  readonly #windowKey = newSecret()
  /** What is told of the use of each ticket, by a digest of it. */
  readonly #tickets = new Map<string, () => void>()

  constructor(port: number) {
    this.#cookie = `linnet-${port}`
  }

  /** Makes a ticket: 256 random bits, for one use. `used` is called when that happens. */
  issue(used: () => void = () => undefined): string {
    const ticket = newSecret()
    this.#tickets.set(keyOf(ticket), used)
    const [oldest] = this.#tickets.keys()
    if (this.#tickets.size > MAX_TICKETS && oldest !== undefined) this.#tickets.delete(oldest)
    return ticket
  }

  revoke(ticket: string): void {
    this.#tickets.delete(keyOf(ticket))
  }

  /** Takes a ticket. @returns null for one that was used, was revoked or never was */
  admit(ticket: string): Admission | null {
    const used = this.#tickets.get(keyOf(ticket))
    if (used === undefined) return null
    this.revoke(ticket)
    used()
    const cookie = `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`
    return { cookie, windowKey: this.#windowKey }
  }

  /** Whether a `Cookie` header is an admitted browser's. */
  hasCookie(header: string | undefined): boolean {
    const name = `${this.#cookie}=`
    return (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .some((pair) => pair.startsWith(name) && isSameSecret(pair.slice(name.length), this.#session))
  }

  isWindowKey(given: string | null | undefined): boolean {
    return isSameSecret(given, this.#windowKey)
  }
}
