import type { ThreadPage } from '../../../../src/shared/model.ts'
import { toSearchParameters } from '../../../../src/shared/search/search-parameters.ts'
import { NO_FILTER, type TextTerm, type ThreadFilter, type ThreadQuery } from '../../../../src/shared/thread-query.ts'
import { eventually } from './eventually.ts'
import type { TestEngine } from './test-engine.ts'
import type { TestPlatform } from './test-platform.ts'

export const word = (text: string): TextTerm => ({ text, isPhrase: false, isExcluded: false })

export const searchFor = (inboxId: string, filter: Partial<ThreadFilter>): ThreadQuery => ({
  ...NO_FILTER,
  ...filter,
  inboxIds: [inboxId],
})

const WINDOW = 200

/** First page of a search, once the platform has responded or failed. */
export const answered = (engine: TestEngine, query: ThreadQuery, limit = WINDOW): Promise<ThreadPage> =>
  eventually(
    () => engine.call('thread.list', { query, offset: 0, limit }),
    ({ searched }) => searched?.platform.state === 'answered' || searched?.platform.state === 'failed',
  )

/** IDs of an entire list, page by page. Each page is requested when the previous one is full. */
export const idsOf = async (engine: TestEngine, query: ThreadQuery): Promise<readonly string[]> => {
  for (let windows = 1; ; windows += 1) {
    const read = async () => {
      const pages: ThreadPage[] = []
      for (let at = 0; at < windows; at += 1) {
        pages.push(await engine.call('thread.list', { query, offset: at * WINDOW, limit: WINDOW }))
      }
      return pages
    }
    const pages = await eventually(read, (all) => {
      const last = all.at(-1)
      return last?.hasMore === false || (last?.total ?? 0) >= windows * WINDOW
    })
    if (pages.at(-1)?.hasMore === false && (pages.at(-1)?.total ?? 0) <= windows * WINDOW) {
      return pages.flatMap(({ items }) => items.map(({ id }) => id))
    }
  }
}

export const localIds = async (engine: TestEngine, query: ThreadQuery): Promise<readonly string[]> => {
  const ids: string[] = []
  for (;;) {
    const page = await engine.call('thread.list', { query, offset: ids.length, limit: WINDOW, localOnly: true })
    ids.push(...page.items.map(({ id }) => id))
    if (!page.hasMore) return ids
  }
}

export const idsOnPlatform = async (platform: TestPlatform, query: ThreadQuery): Promise<readonly string[]> => {
  const [inboxId = ''] = query.inboxIds
  const parameters = new URLSearchParams({
    ...toSearchParameters(query, { now: Date.now(), timeZone: 'UTC' }),
    limit: '100',
  })
  const ids: string[] = []
  for (;;) {
    const { data, has_more } = await platform.ask<{ data: { id: string }[]; has_more: boolean }>(
      'GET',
      `/inboxes/${inboxId}/threads/search?${parameters.toString()}`,
    )
    ids.push(...data.map(({ id }) => id))
    if (!has_more) return ids
    parameters.set('after', ids.at(-1) ?? '')
  }
}
