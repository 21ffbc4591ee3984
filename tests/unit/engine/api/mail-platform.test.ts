import { describe, expect, it } from 'vitest'
import type { PlatformRequest } from '../../../../src/engine/api/http-client.ts'
import { createMailPlatform } from '../../../../src/engine/api/mail-platform.ts'

const options = { priority: 'action', signal: new AbortController().signal } as const

/** A platform whose list of topics is what a function makes of each request. */
const platformOf = (answer: (after: string | undefined, asked: number) => readonly object[]) => {
  let asked = 0
  const request = ({ query }: PlatformRequest): Promise<unknown> => {
    asked += 1
    if (asked > 1000) throw new Error('asked for ever')
    return Promise.resolve({ data: answer(query?.after as string | undefined, asked), has_more: true })
  }
  const platform = createMailPlatform({ request, close: () => Promise.resolve() })
  return { platform, asked: () => asked }
}

describe('a list that is read to its end', () => {
  it('ends where a page brings nothing new, also where two cursors lead to each other', async () => {
    const { platform, asked } = platformOf((after) => [{ id: after === 'a' ? 'b' : 'a', name: 'x' }])
    expect((await platform.listContactTopics('c', options)).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(asked()).toBe(3)
  })

  it('ends at ten thousand items where the platform never does', async () => {
    const { platform, asked } = platformOf((_after, page) =>
      Array.from({ length: 100 }, (_, at) => ({ id: `${page}.${at}` })),
    )
    expect(await platform.listContactTopics('c', options)).toHaveLength(10_000)
    expect(asked()).toBe(100)
  })
})
