import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { bodyOwnerSchema } from '../../shared/contract/inputs.ts'
import type { CreatedShareLink } from '../../shared/contract.ts'
import { MAX_SHARE_MS } from '../../shared/share-duration.ts'
import { createTypedFilter } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/word-tokenizer.ts'
import { LocalList, type LocalLists } from './local-list.ts'
import { systemClock } from '../timing/clock.ts'
import { createProblem } from '../../shared/result.ts'
import { parseJsonAs } from '../../shared/parse-json.ts'

/** A stored link, without the location of its e-mail. */
export type StoredShareLink = Omit<CreatedShareLink, 'isHere' | 'inThread'>

/** Maximum expired links to keep. Working links are always kept. */
const MAX_EXPIRED = 500

const address = z.string().max(10_000)
const entry: z.ZodType<StoredShareLink> = z.object({
  id: z.string().min(1),
  // Stored data must not bring script URLs into a window.
  url: z.url({ protocol: /^https?$/ }),
  of: bodyOwnerSchema,
  subject: z.string().nullable(),
  from: address,
  to: z.array(address),
  madeAt: z.number(),
  expiresAt: z.number(),
})

/** Newest first, without the oldest expired links. @param now milliseconds since the epoch */
const tidy = (links: readonly StoredShareLink[], now: number): readonly StoredShareLink[] => {
  const newestFirst = links.toSorted((one, other) => other.madeAt - one.madeAt)
  const tooOld = new Set(newestFirst.filter(({ expiresAt }) => expiresAt <= now).slice(MAX_EXPIRED))
  return newestFirst.filter((link) => !tooOld.has(link))
}

const claims = z.object({ exp: z.number() })

/** Expiry time in the link's token, in milliseconds since the epoch; null if unreadable. */
const tokenExpiryOf = (url: string): number | null => {
  const payload = new URL(url).searchParams.get('token')?.split('.')[1]
  const content = parseJsonAs(claims, Buffer.from(payload ?? '', 'base64url').toString())
  return content === null ? null : content.exp * 1000 || null
}

/**
 * Expiry time of a link. Never too late: counts from before the request, and the link's token (a JWT: platform.md 17.4)
 * can only shorten it. Times are in milliseconds.
 */
export const computeLinkExpiry = (url: string, askedAt: number, duration: number): number => {
  const end = askedAt + Math.min(duration, MAX_SHARE_MS)
  const said = tokenExpiryOf(url)
  return said !== null && said > askedAt && said < end ? said : end
}

/**
 * Links that the user created. They are only stored in a private file: the platform can't list links, and anyone with a
 * link can read the e-mail.
 */
export class ShareLinkStore {
  readonly #list: LocalList<StoredShareLink>
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number
  readonly #forgotten = new Map<string, StoredShareLink>()

  constructor(
    own: LocalLists,
    changed: () => void,
    report: (thrown: unknown) => void,
    now: () => number = systemClock.now,
  ) {
    this.#list = new LocalList(own, 'share-links', entry, changed)
    this.#report = report
    this.#now = now
  }

  /** Links, newest first. `typed` filters by subject and people; all of its parts must match. */
  list(typed = ''): readonly StoredShareLink[] {
    const matches = createTypedFilter(typed)
    return this.#list.entries.filter(({ subject, from, to }) =>
      matches(foldText([subject ?? '', from, ...to].join('\n'))),
    )
  }

  /** Adds a link. If the disk write fails, the link stays in memory and is written along with the next one. */
  add(made: Omit<StoredShareLink, 'id'>): { readonly link: StoredShareLink; readonly isKept: boolean } {
    const link = { id: randomUUID(), ...made }
    return { link, isKept: this.#list.setAnyway(this.#withLink(link), this.#report) }
  }

  /** Does nothing if the link doesn't exist. @throws disk errors, without removing the link */
  forget(id: string): void {
    const link = this.#list.entries.find((each) => each.id === id)
    if (link === undefined) return
    this.#list.drop((each) => each === link)
    this.#forgotten.set(id, link)
  }

  /** Restores a link removed since startup. @throws ProblemError `not_found`; disk errors */
  restore(id: string): void {
    const link = this.#forgotten.get(id)
    if (link === undefined)
      throw createProblem('not_found', 'This link was deleted for good. You can create another one.')
    this.#list.set(this.#withLink(link))
    this.#forgotten.delete(id)
  }

  #withLink(link: StoredShareLink): readonly StoredShareLink[] {
    return tidy([link, ...this.#list.entries], this.#now())
  }
}
