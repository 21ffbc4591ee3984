import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Nobody opens so many windows without using one: the oldest tickets go. */
const MAX_TICKETS = 16

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (given: string | null | undefined, expected: string): boolean =>
  timingSafeEqual(digest(given ?? ''), digest(expected))

/** What a browser is told once its ticket is taken. */
export interface Admission {
  /** The value of `Set-Cookie`. */
  readonly cookie: string
  /** For the page's own storage. */
  readonly windowKey: string
}

/** Who may see the mail: browsers that came with a ticket, and know what they were then given. */
export interface Door {
  /** Makes a ticket: 256 random bits, for one use. `used` is called when that happens. */
  readonly issue: (used?: () => void) => string
  readonly revoke: (ticket: string) => void
  /** Takes a ticket. @returns null for one that was used, was revoked or never was */
  readonly admit: (ticket: string) => Admission | null
  /** Whether a `Cookie` header is an admitted browser's. */
  readonly hasCookie: (header: string | undefined) => boolean
  readonly isWindowKey: (given: string | null | undefined) => boolean
}

/**
 * A browser sends its cookies to every port of a host, so another program that listens on this machine may come to see
 * the cookie. What lies in the storage of a page is seen by its own port alone. Mail is given to who has both.
 */
export const createDoor = (port: number): Door => {
  const name = `linnet-${port}`
  const session = newSecret()
  const windowKey = newSecret()
  const tickets = new Map<string, () => void>()
  const keyOf = (ticket: string): string => digest(ticket).toString('hex')

  return {
    issue: (used = () => undefined) => {
      const ticket = newSecret()
      tickets.set(keyOf(ticket), used)
      const [oldest] = tickets.keys()
      if (tickets.size > MAX_TICKETS && oldest !== undefined) tickets.delete(oldest)
      return ticket
    },
    revoke: (ticket) => void tickets.delete(keyOf(ticket)),
    admit: (ticket) => {
      const used = tickets.get(keyOf(ticket))
      if (used === undefined) return null
      tickets.delete(keyOf(ticket))
      used()
      return { cookie: `${name}=${session}; Path=/; HttpOnly; SameSite=Strict`, windowKey }
    },
    hasCookie: (header) =>
      (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .some((pair) => pair.startsWith(`${name}=`) && isSame(pair.slice(name.length + 1), session)),
    isWindowKey: (given) => isSame(given, windowKey),
  }
}

/** The answer of who knows `secret` to a question; it gives the secret away to nobody. */
export const prove = (secret: string, question: string): string =>
  createHmac('sha256', secret).update(question).digest('base64url')

/** Whether `proof` is the answer to the question of one who knows the secret. */
export const isProof = (proof: string | undefined, secret: string, question: string): boolean =>
  isSame(proof, prove(secret, question))
