import { describe, expect, it } from 'vitest'
import { Problems } from '../../../../src/engine/own/problems.ts'
import type { LocalLists } from '../../../../src/engine/own/local-list.ts'
import { ownLists } from '../support/local-lists.ts'

const open = (own: LocalLists, changed: () => void = () => undefined, failures: unknown[] = []): Problems =>
  new Problems(own, changed, (thrown) => failures.push(thrown))
const problem = (id: string, message = `Something about ${id}.`) => ({ id, code: 'storage_failed' as const, message })

describe('persistent problems', () => {
  it('are kept across restarts, each once, until they are cleared', () => {
    const { own } = ownLists()
    let changes = 0
    const first = open(own, () => (changes += 1))
    first.raise(problem('cache'))
    first.raise({ ...problem('outbox'), details: { changes: 3 } })
    first.raise(problem('cache', 'Again.'))
    expect(changes).toBe(3)
    const second = open(own)
    expect(second.list()).toEqual(first.list())
    expect(second.list().map(({ id, message }) => [id, message])).toEqual([
      ['outbox', 'Something about outbox.'],
      ['cache', 'Again.'],
    ])
    second.clear('cache')
    second.clear('outbox')
    expect(open(own).list()).toEqual([])
  })

  it('are reported even if they can’t be stored', () => {
    const { own, fill } = ownLists()
    fill(true)
    const failures: unknown[] = []
    const problems = open(own, () => undefined, failures)
    problems.raise(problem('cache'))
    expect(problems.list()).toHaveLength(1)
    expect(failures).toHaveLength(1)
  })

  it('are limited to what a user can read', () => {
    const problems = open(ownLists().own)
    for (let count = 0; count < 50; count += 1) problems.raise(problem(`p${count}`))
    expect(problems.list()).toHaveLength(20)
    expect(problems.list().at(-1)?.id).toBe('p49')
  })
})
