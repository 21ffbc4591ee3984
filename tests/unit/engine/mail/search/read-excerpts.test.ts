import { describe, expect, it } from 'vitest'
import { readExcerpts } from '../../../../../src/engine/mail/search/excerpt.ts'
import { NO_FILTER } from '../../../../../src/shared/thread-query.ts'
import { emailOf } from '../../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../../support/open-test-cache.ts'

const BODIES = { one: 'A lantern burns.', two: 'Two lantern posts.', three: 'No light.' } as const

const openResults = (word = 'lantern') => {
  const { cache, inbox } = openTestCache()
  const ids = Object.keys(BODIES)
  cache.threads.storePage(
    inbox,
    ids.map((id) => listedThread(id, 1)),
    { askedAt: 0, inSent: false },
  )
  for (const [id, text] of Object.entries(BODIES)) {
    cache.emails.storePage(inbox, id, [
      emailOf({
        ...{ id: `mail of ${id}`, direction: 'inbound', from: 'Ada <ada@example.com>', to: ['me@example.com'] },
        ...{ subject: `Post of ${id}`, text, html: null, read: true, received_at: '2026-01-01T00:01:00.000Z' },
      }),
    ])
  }
  const query = { ...NO_FILTER, inboxIds: [inbox.id], text: [{ text: word, isPhrase: false, isExcluded: false }] }
  const found = [...ids, 'gone'].map((threadId) => ({ threadId, emailId: `mail of ${threadId}` }))
  const read = (from = 0, until?: number) => readExcerpts(cache.emails, inbox, query, found.slice(from), until)
  return { read, found }
}

describe('result excerpts', () => {
  it('show the words in the body, or nothing if absent', () => {
    const { read, found } = openResults()
    const texts = [BODIES.one, BODIES.two, null, null]
    expect(read(0, Number.POSITIVE_INFINITY)).toEqual(found.map((each, at) => ({ ...each, text: texts[at] })))
  })

  it('omit what the subject says, and searches without words', () => {
    expect(openResults('post').read(0, Number.POSITIVE_INFINITY)[0]).toMatchObject({ text: null })
    expect(
      openResults('€')
        .read(0, Number.POSITIVE_INFINITY)
        .map(({ text }) => text),
    ).toEqual([null, null, null, null])
  })

  it('cover as many rows as time allows, at least one, so that paging ends', () => {
    const { read, found } = openResults()
    const met: string[] = []
    while (met.length < found.length) met.push(...read(met.length, 0).map(({ threadId }) => threadId))
    expect(met).toEqual(found.map(({ threadId }) => threadId))
    expect(read(0, 0)).toHaveLength(1)
  })
})
