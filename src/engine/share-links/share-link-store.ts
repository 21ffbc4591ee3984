import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bodyOwner } from '../../shared/contract/inputs.ts'
import type { MadeShareLink } from '../../shared/contract.ts'
import { LONGEST_SHARE } from '../../shared/share-duration.ts'
import { typedFilter } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/words.ts'
import { problem } from '../problem.ts'
import { LocalList, type LocalLists } from '../store/local-list.ts'
import { systemClock } from '../timing/clock.ts'

/** A stored link, without the location of its e-mail. */
export type StoredLink = Omit<MadeShareLink, 'isHere' | 'inThread'>

/** Expired links to keep; working links are all kept. */
const MAX_EXPIRED = 500

const address = z.string().max(10_000)
const entry: z.ZodType<StoredLink> = z.object({
  id: z.string().min(1),
  // Stored data must not bring script URLs into the window.
  url: z.url({ protocol: /^https?$/ }),
  of: bodyOwner,
  subject: z.string().nullable(),
  from: address,
  to: z.array(address),
  madeAt: z.number(),
  expiresAt: z.number(),
})

/** Removes duplicates and the oldest expired links; newest first. @param now milliseconds since the epoch */
const tidyAt =
  (now: number) =>
  (links: readonly StoredLink[]): readonly StoredLink[] => {
    const each = [...new Map(links.map((link) => [link.id, link])).values()]
    const newestFirst = each.toSorted((one, other) => other.madeAt - one.madeAt)
    const expired = newestFirst.filter(({ expiresAt }) => expiresAt <= now).slice(MAX_EXPIRED)
    const tooOld = new Set(expired.map(({ id }) => id))
    return newestFirst.filter(({ id }) => !tooOld.has(id))
  }

const claims = z.object({ exp: z.number() })

/** Expiry in the link's token, milliseconds since the epoch; null if unreadable. */
const endOfToken = (url: string): number | null => {
  const payload = new URL(url).searchParams.get('token')?.split('.')[1]
  if (payload === undefined) return null
  try {
    const content: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return (claims.safeParse(content).data?.exp ?? NaN) * 1000 || null
  } catch {
    return null
  }
}

/**
 * Expiry of a link, never overestimated: counted from before the request. Its token (platform facts 4: a JWT) can only
 * shorten it. Times in milliseconds.
 */
export const expiryOf = (url: string, askedAt: number, duration: number): number => {
  const end = askedAt + Math.min(duration, LONGEST_SHARE)
  const said = endOfToken(url)
  return said !== null && said > askedAt && said < end ? said : end
}

/** Stored in a private file only: the platform can't list links, and anyone with one can read the e-mail. */
export class ShareLinkStore {
  readonly #list: LocalList<StoredLink>
  readonly #changed: () => void
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number
  readonly #forgotten = new Map<string, StoredLink>()
  #links: readonly StoredLink[]

  constructor(
    own: LocalLists,
    changed: () => void,
    report: (thrown: unknown) => void,
    now: () => number = systemClock.now,
  ) {
    this.#list = new LocalList(own, 'share-links', entry)
    this.#changed = changed
    this.#report = report
    this.#now = now
    this.#links = tidyAt(now())(this.#list.read())
  }

  /** Newest first; `typed` filters by subject and people, all parts required. */
  list(typed = ''): readonly StoredLink[] {
    const matches = typedFilter(typed)
    return this.#links.filter(({ subject, from, to }) => matches(foldText([subject ?? '', from, ...to].join('\n'))))
  }

  /** Adds a link. If the disk write fails, it stays in memory and is written with the next one. */
  add(made: Omit<StoredLink, 'id'>): { readonly link: StoredLink; readonly isKept: boolean } {
    const link = { id: randomUUID(), ...made }
    const next = this.#withLink(link)
    try {
      this.#keep(next)
      return { link, isKept: true }
    } catch (thrown) {
      this.#report(thrown)
      this.#links = next
      this.#changed()
      return { link, isKept: false }
    }
  }

  /** Does nothing if the link doesn't exist. @throws disk errors; the link is then kept */
  forget(id: string): void {
    const link = this.#links.find((each) => each.id === id)
    if (link === undefined) return
    this.#keep(this.#links.filter((each) => each !== link))
    this.#forgotten.set(id, link)
  }

  /** Restores a link forgotten since startup. @throws ProblemError `not_found`, and disk errors */
  restore(id: string): void {
    const link = this.#forgotten.get(id)
    if (link === undefined) throw problem('not_found', 'This link was deleted for good. You can create another one.')
    this.#keep(this.#withLink(link))
    this.#forgotten.delete(id)
  }

  #withLink(link: StoredLink): readonly StoredLink[] {
    return tidyAt(this.#now())([link, ...this.#links])
  }

  #keep(next: readonly StoredLink[]): void {
    this.#list.write(next)
    this.#links = next
    this.#changed()
  }
}
