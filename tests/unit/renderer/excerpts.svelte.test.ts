import { describe, expect, it } from 'vitest'
import { Excerpts } from '../../../src/renderer/features/threads/excerpts.svelte.ts'
import type { LocalMatch, ListedThread, ThreadExcerpt, ThreadMatch } from '../../../src/shared/model.ts'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import { fixtureThreads } from './support/fixture-mail.ts'

const row = (id: string, match: ThreadMatch | null = { by: 'computer', emailId: `mail of ${id}` }): ListedThread => {
  const [thread] = fixtureThreads(1)
  if (thread === undefined) throw new Error('There is one.')
  return { ...thread, id, match }
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Opens excerpts with a backend that responds on demand. `answer` returns only the first `some` requested excerpts. */
const openExcerpts = (before?: Excerpts) => {
  const asked: string[][] = []
  const answers: ((result: Result<readonly ThreadExcerpt[]>) => void)[] = []
  let questions: readonly LocalMatch[] = []
  const excerpts = new Excerpts((found) => {
    asked.push(found.map(({ threadId }) => threadId))
    questions = found
    return new Promise((resolve) => answers.push(resolve))
  }, before)
  const answer = async (
    some: number,
    text: (threadId: string) => string | null = (id) => `of ${id}`,
  ): Promise<void> => {
    answers.shift()?.(ok(questions.slice(0, some).map((each) => ({ ...each, text: text(each.threadId) }))))
    await settled()
  }
  const refuse = async (): Promise<void> => {
    answers.shift()?.(fail('storage_failed', 'The disk does not answer.'))
    await settled()
  }
  return { excerpts, asked, answer, refuse }
}

describe('excerpts of visible rows', () => {
  it('are requested once each until all are known, for local matches only', async () => {
    const { excerpts, asked, answer } = openExcerpts()
    const rows = [row('a'), row('b', null), row('c', { by: 'platform', emailId: 'x' }), row('d'), row('e')]
    excerpts.want(rows)
    await answer(1)
    await answer(2, (id) => (id === 'd' ? null : `of ${id}`))
    excerpts.want(rows)
    await settled()
    expect(asked).toEqual([
      ['a', 'd', 'e'],
      ['d', 'e'],
    ])
    expect(rows.map((each) => excerpts.of(each))).toEqual(['of a', null, null, null, 'of e'])
  })

  it('are not requested if they came with their rows', async () => {
    const { excerpts, asked } = openExcerpts()
    const rows = [row('a'), row('b')]
    const came = rows.map(({ id: threadId }) => ({ threadId, emailId: `mail of ${threadId}`, text: `of ${threadId}` }))
    excerpts.take(came, (threadId) => rows.find(({ id }) => id === threadId))
    excerpts.want(rows)
    await settled()
    expect(asked).toEqual([])
    expect(rows.map((each) => excerpts.of(each))).toEqual(['of a', 'of b'])
  })

  it('are requested for the rows visible now, not for earlier ones', async () => {
    const { excerpts, asked, answer } = openExcerpts()
    excerpts.want([row('a'), row('b')])
    excerpts.want([row('y'), row('z')])
    await answer(1)
    expect(asked).toEqual([
      ['a', 'b'],
      ['y', 'z'],
    ])
  })

  it('are requested again when the thread changes, and stay until then', async () => {
    const { excerpts, asked, answer } = openExcerpts()
    const first = row('a')
    excerpts.want([first])
    await answer(1, () => null)
    const now = { ...first, snippet: 'Its text has come.' }
    excerpts.want([now])
    excerpts.want([now])
    expect(excerpts.of(now)).toBeNull()
    await answer(1)
    expect([asked.length, excerpts.of(now)]).toEqual([2, 'of a'])
  })

  it('are requested again when another e-mail of the thread matches', async () => {
    const { excerpts, asked, answer } = openExcerpts()
    excerpts.want([row('a')])
    await answer(1)
    const now = row('a', { by: 'computer', emailId: 'another' })
    expect(excerpts.of(now)).toBeNull()
    excerpts.want([now])
    await answer(1, () => 'of another')
    expect([asked.length, excerpts.of(now)]).toEqual([2, 'of another'])
  })

  it('are not retried in a loop after a failure', async () => {
    const { excerpts, asked, refuse, answer } = openExcerpts()
    excerpts.want([row('a')])
    await refuse()
    expect(asked).toHaveLength(1)
    excerpts.want([row('a')])
    await answer(0)
    expect(asked).toHaveLength(2)
    excerpts.want([row('a')])
    await answer(1)
    expect(excerpts.of(row('a'))).toBe('of a')
  })

  it('stay from the previous search until replaced, if they were visible', async () => {
    const first = openExcerpts()
    first.excerpts.want([row('a'), row('b')])
    await first.answer(2)
    first.excerpts.want([row('a')])
    const next = openExcerpts(first.excerpts)
    expect([row('a'), row('b')].map((each) => next.excerpts.of(each))).toEqual(['of a', null])
    next.excerpts.want([row('a')])
    await next.answer(1, () => null)
    expect(next.excerpts.of(row('a'))).toBeNull()
  })
})
