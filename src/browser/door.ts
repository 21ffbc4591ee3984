import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../host/proof.ts'

/** Nobody opens so many windows without using one: the oldest tickets go. */
const MAX_TICKETS = 16

const newSecret = (): string => randomBytes(32).toString('base64url')
const keyOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** Sent to a browser for its ticket. */
export interface Admission {
  /** The value of `Set-Cookie`. */
  readonly cookie: string
  /** For the page's own storage. */
  readonly windowKey: string
}

/**
 * Admits browsers with a ticket. Cookies go to every port of a host, so another program may see one; a page's storage
 * is its own port's. Mail needs both.
 */
export class Door {
  readonly #cookie: string
  readonly #session = newSecret()
  readonly #windowKey = newSecret()
  /** Called when a ticket is used, by its digest. */
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

  /** True for the `Cookie` header of an admitted browser. */
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
