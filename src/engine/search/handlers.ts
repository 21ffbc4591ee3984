import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { toTime } from '../api/model-from-wire.ts'
import { isNotFound, PlatformRefusal } from '../api/platform-problem.ts'
import { ProblemError } from '../../shared/result.ts'
import { INBOX_GONE, problem, saying } from '../saying.ts'

/** What a search is told where the platform finds fault with it: its own words, which name the limit or the value. */
const asQueryProblem = (thrown: unknown): unknown =>
  thrown instanceof PlatformRefusal && thrown.status === 422
    ? new ProblemError({
        ...thrown.problem,
        code: 'query_invalid',
        message: String(thrown.problem.details?.platform ?? 'The platform does not understand this search.').replaceAll(
          '`',
          '',
        ),
      })
    : thrown

const SEARCH_FAILED = 'The platform did not answer this search. Search again in a moment.'

export const searchHandlers = ({
  current,
  inboxOf,
  asked,
}: AccountAccess): Pick<HandlersOf<'thread'>, 'thread.search'> => {
  let search: AbortController | null = null
  return {
    'thread.search': async ({ inboxId, query, after }) => {
      const { cache, platform, signal } = current()
      search?.abort(problem('cancelled', 'A newer search took the place of this one.'))
      search = new AbortController()
      const stored = cache.inboxes.get(inboxId)
      const askedAt = performance.now()
      try {
        const page = await platform.searchThreads(
          inboxId,
          { query },
          { ...asked(AbortSignal.any([signal, search.signal])), after, limit: 50 },
        )
        const inbox = inboxOf(inboxId)
        // Search lags behind the lists by up to a minute (contract, Search threads): it never overwrites newer mail.
        const found = page.items.map(({ matched_email_id: matched, ...wire }) => ({ matched, wire }))
        const news = found.filter(
          ({ wire }) => (cache.threads.get(inbox, wire.id)?.receivedAt ?? -1) < toTime(wire.received_at),
        )
        current().hub.threads(
          inboxId,
          cache.threads.storePage(
            inbox,
            news.map(({ wire }) => wire),
            { askedAt, inSent: false },
          ),
        )
        return {
          items: found.flatMap(({ matched, wire }) => {
            const thread = cache.threads.get(inbox, wire.id)
            return thread === undefined ? [] : [{ ...thread, matchedEmailId: matched ?? null }]
          }),
          next: page.hasMore ? (page.items.at(-1)?.id ?? null) : null,
        }
      } catch (thrown) {
        if (isNotFound(thrown) && after === undefined && stored !== undefined) {
          const { absence, presence } = current()
          if (await absence.inboxExists(inboxId, 'action')) throw problem('platform_failed', SEARCH_FAILED)
          presence.isGone(inboxId)
        }
        throw saying(asQueryProblem(thrown), {
          unreachable:
            'You are offline, and search runs on the platform. Your folders are all here; go online to search.',
          not_found: after === undefined ? INBOX_GONE : 'The search has changed since. Search again to see all of it.',
        })
      }
    },
  }
}
