import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../host/challenge-response.ts'

/** Enough for any user; the oldest tickets are dropped. */
const MAX_TICKETS = 16

const newSecret = (): string => randomBytes(32).toString('base64url')
const keyOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** Credentials that a browser gets for its ticket. */
export interface BrowserCredentials {
  /** `Set-Cookie` value. */
  readonly cookie: string
  /** Kept in the page's own storage. */
  readonly windowKey: string
}

/**
 * Admits browsers that present a ticket. Browsers send a host's cookies to all its ports, so another local program may
 * see the cookie, but page storage belongs to one port. Reading mail therefore takes both the cookie and the window
 * key.
 */
export class BrowserAccess {
  readonly #cookie: string
  readonly #session = newSecret()
  readonly #windowKey = newSecret()
  /** Callbacks for used tickets, keyed by the ticket's digest. */
  readonly #tickets = new Map<string, () => void>()

  constructor(port: number) {
    this.#cookie = `linnet-${port}`
  }

  /** Issues a one-time ticket of 256 random bits. Calls `used` when it is redeemed. */
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

  /** Redeems a ticket. @returns null if it is unknown, used or revoked */
  admit(ticket: string): BrowserCredentials | null {
    const used = this.#tickets.get(keyOf(ticket))
    if (used === undefined) return null
    this.revoke(ticket)
    used()
    const cookie = `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`
    return { cookie, windowKey: this.#windowKey }
  }

  /** True if the `Cookie` header is an admitted browser's. */
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

/** Storage item for the page's half of the credentials, read by `renderer/browser-transport.ts`. */
const WINDOW_KEY_ITEM = 'linnet-window-key'

/** Posts the ticket, to keep it out of process lists and history. The arguments need no escaping. */
export const renderTicketPage = (origin: string, ticket: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <title>Linnet</title>
  </head>
  <body>
    <form method="post" action="${origin}/open">
      <input type="hidden" name="token" value="${ticket}" />
      <button>Open Linnet</button>
    </form>
    <script>document.forms[0].submit()</script>
  </body>
</html>
`

/**
 * Navigates by script: a redirect would still count as cross-site and arrive without the cookie. @param windowKey
 * base64url
 */
export const renderAdmittedPage = (windowKey: string, nonce: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Linnet</title>
    <script nonce="${nonce}">
      localStorage.setItem('${WINDOW_KEY_ITEM}', '${windowKey}')
      location.replace('/')
    </script>
  </head>
  <body>
    <noscript>Linnet needs JavaScript, which is off here.</noscript>
  </body>
</html>
`
