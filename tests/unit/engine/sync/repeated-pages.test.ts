import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../../src/shared/result.ts'
import { RepeatedPageGuard } from '../../../../src/engine/own/repeated-pages.ts'

/** Crawls a list of pages. @param pages the page after each cursor */
const crawl = (pages: Readonly<Record<string, readonly string[]>>, first: readonly string[]) => {
  const raised: string[] = []
  const cleared: string[] = []
  const repeated = new RepeatedPageGuard({
    raise: ({ id }: Problem & { readonly id: string }) => void raised.push(id),
    clear: (id) => void cleared.push(id),
  })
  const asked: (string | undefined)[] = []
  const next = (after?: string) =>
    repeated.fetch('threads i archive', 'threads in archive', after, (cursor) => {
      asked.push(cursor)
      const ids = cursor === undefined ? first : (pages[cursor] ?? [])
      return Promise.resolve({ items: ids.map((id) => ({ id })), hasMore: ids.length > 0, isWhole: true })
    })
  return { next, asked, raised, cleared }
}

describe('a crawl', () => {
  it('ends at a page without a new ID, deletes nothing, and reports it once', async () => {
    const { next, raised, asked } = crawl({ b: ['a', 'b'], a: ['a', 'b'] }, ['a', 'b'])
    for (let round = 0; round < 2; round += 1) {
      expect(await next()).toMatchObject({ hasMore: true, isWhole: true })
      expect(await next('b')).toMatchObject({ hasMore: false, isWhole: false })
    }
    expect(asked).toHaveLength(6)
    expect(raised).toEqual(['endless-list threads i archive'])
  })

  it('ends a cycle of pages with moving boundaries', async () => {
    const { next, raised } = crawl({ b: ['c', 'a'], a: ['b', 'c'], c: ['a', 'b'] }, ['a', 'b'])
    await next()
    expect(await next('b')).toMatchObject({ hasMore: true })
    expect(await next('a')).toMatchObject({ hasMore: false })
    expect(raised).toHaveLength(1)
  })

  it('continues from the row above if the cursor’s thread moved to the top', async () => {
    const { next, raised, asked } = crawl({ c: ['a', 'b'], b: ['d', 'e'], e: [] }, ['a', 'b', 'c'])
    await next()
    expect(await next('c')).toMatchObject({ items: [{ id: 'd' }, { id: 'e' }], hasMore: true })
    expect(await next('e')).toMatchObject({ hasMore: false, isWhole: true })
    expect(asked).toEqual([undefined, 'c', 'b', 'e'])
    expect(raised).toEqual([])
  })

  it('clears the report once the list ends', async () => {
    const pages: Record<string, readonly string[]> = { b: ['a', 'b'], a: ['a', 'b'] }
    const { next, raised, cleared } = crawl(pages, ['a', 'b'])
    await next()
    await next('b')
    pages.b = []
    await next()
    await next('b')
    expect(raised).toHaveLength(1)
    expect(cleared).toEqual(raised)
  })
})
