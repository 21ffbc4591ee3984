import { ProblemError, createProblem } from '../../shared/result.ts'
import type { Template, TemplateSummary } from '../../shared/templates.ts'
import type { FetchedTemplate } from '../platform/resources/templates.ts'
import {
  ResponseTooLargeError,
  isNotFound,
  UnreachableError,
  UnreadableResponseError,
} from '../platform/platform-problem.ts'
import type { CallOptions } from '../platform/requests.ts'
import { withMessage } from '../platform/problem.ts'
import { createSharedCalls } from '../timing/share-calls.ts'
import type { AccountServices } from '../sync/account-services.ts'

/** Maximum age of a reused list; templates seldom change. */
const FRESH_MS = 5 * 60_000
const MAX_AHEAD = 100
/** Key under which the time of the last list request is stored, in milliseconds since the epoch. */
const LISTED_AT_KEY = 'templates asked'

const WITHDRAWN = 'This template is no longer published on the platform.'
const TOO_LARGE = 'This template is too large to insert. Shorten it on the platform.'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

type TemplateParts = Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'report' | 'clock' | 'signal'
>

/** Published templates, cached completely for offline use. They can only be edited on the platform. */
export class Templates {
  readonly #parts: TemplateParts
  readonly #shared = createSharedCalls<unknown>()

  constructor(parts: TemplateParts) {
    this.#parts = parts
  }

  /** Sorted by name. */
  list(): readonly TemplateSummary[] {
    return this.#parts.cache.templates.summaries().toSorted((one, other) => collator.compare(one.name, other.name))
  }

  /** Updates the list unless it is recent, and prefetches bodies afterwards. @throws if the request fails */
  async refresh(options: CallOptions): Promise<void> {
    const { cache, clock } = this.#parts
    const askedAt = cache.accountMeta.number(LISTED_AT_KEY)
    const age = clock.now() - (askedAt ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < FRESH_MS) return
    await this.#shared('list', () => this.#fetchList(options))
  }

  async get(id: string, options: CallOptions): Promise<Template> {
    const kept = this.#parts.cache.templates.get(id)
    if (kept !== null) return kept
    try {
      const template = await this.#fetch(id, options)
      if (template === null) throw createProblem('not_found', WITHDRAWN)
      if (template.template === null) throw createProblem('refused', TOO_LARGE)
      return template.template
    } catch (thrown) {
      throw withMessage(thrown, {
        unreachable: 'You are offline, and this template is not on this computer yet. Go online to insert it.',
      })
    }
  }

  async #fetchList(options: CallOptions): Promise<void> {
    const { capabilities, platform, cache, hub, clock } = this.#parts
    const askedAt = clock.now()
    const listed = await capabilities.attempt('list templates', () => platform.listTemplates(options))
    if (listed === null) return
    cache.accountMeta.set(LISTED_AT_KEY, askedAt)
    if (cache.templates.replace(listed.filter(({ isPublished }) => isPublished))) hub.templates()
    void this.#shared('bodies', () => this.#fetchAhead())
  }

  /** Prefetches bodies one at a time, at the lowest priority. */
  async #fetchAhead(): Promise<void> {
    const { cache, signal, report } = this.#parts
    for (const id of cache.templates.unasked().slice(0, MAX_AHEAD)) {
      try {
        await this.#fetch(id, { priority: 'prefetch', signal })
      } catch (thrown) {
        // Retried after the next list update, or when the user picks the template.
        if (signal.aborted || thrown instanceof UnreachableError) return
        if (!(thrown instanceof ProblemError)) report(thrown)
      }
    }
  }

  /** @returns null if the template is no longer published; its cached copy is then removed */
  async #fetch(id: string, options: CallOptions): Promise<FetchedTemplate | null> {
    const { platform, cache, hub, signal } = this.#parts
    let found: FetchedTemplate | null = null
    try {
      found = await platform.getTemplate(id, options)
    } catch (thrown) {
      if (thrown instanceof ResponseTooLargeError || thrown instanceof UnreadableResponseError)
        cache.templates.giveUp(id)
      if (thrown instanceof ResponseTooLargeError) throw createProblem('refused', TOO_LARGE)
      if (!isNotFound(thrown)) throw thrown
    }
    signal.throwIfAborted()
    if (found?.isPublished !== true) {
      cache.templates.remove(id)
      hub.templates()
      return null
    }
    // Use the requested ID, whatever ID the response has.
    cache.templates.keep({ ...found, id }, found.template)
    hub.templates()
    return { ...found, id, template: found.template && { ...found.template, id } }
  }
}
