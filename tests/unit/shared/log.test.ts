import { describe, expect, it } from 'vitest'
import { describeQuery, describeThrown, logLine } from '../../../src/shared/log.ts'
import { ProblemError } from '../../../src/shared/result.ts'

describe('log line', () => {
  it('contains its own text and typed values only', () => {
    const state = 'offline' as 'offline' | 'online'
    expect(logLine`connection: ${state}, ${3} of ${null}, ${true}, ${logLine`a part`}`).toBe(
      'connection: offline, 3 of null, true, a part',
    )
  })

  it('rejects arbitrary text at compile time', () => {
    const subject = ['Your', 'biopsy'].join(' ')
    const field = 'label:Divorce' as `label:${string}`
    // @ts-expect-error -- a plain string does not compile
    const plain = logLine`thread ${subject}`
    // @ts-expect-error -- nor does a string with only a known prefix
    const begun = logLine`field ${field}`
    expect([plain, begun]).toHaveLength(2)
  })
})

describe('logged error', () => {
  it('has its class, code and location, but no message', () => {
    const thrown = Object.assign(new TypeError('no room for “Your biopsy” in /home/ada/mail'), { code: 'ENOSPC' })
    expect(describeThrown(thrown)).toMatch(/^TypeError ENOSPC at [\w.-]+\.ts:\d+:\d+/)
    expect(describeThrown(thrown)).not.toMatch(/biopsy|ada/)
  })

  it.each([
    ['a message that looks like a stack', new Error('x\n    at Divorce (/home/ada/secret.ts:1:1)')],
    ['a message that was changed later', Object.assign(new Error('Divorce'), { message: 'other' })],
    ['a class named by someone else', Object.assign(new Error('x'), { name: 'Divorce papers of Ada' })],
    ['a code that is a sentence', Object.assign(new Error('x'), { code: 'Divorce papers' })],
    ['a cause', new Error('x', { cause: new Error('Divorce') })],
    ['a problem with the platform’s own words', new ProblemError({ code: 'refused', message: 'Divorce' })],
    ['a text', 'Divorce'],
    ['an object', { subject: 'Divorce' }],
  ])('reveals nothing: %s', (_case, thrown) => {
    expect(describeThrown(thrown)).not.toMatch(/divorce|secret|ada/i)
  })

  it('names its causes, and stops at a cycle', () => {
    const round = new Error('outer')
    round.cause = round
    expect(describeThrown(new Error('x', { cause: new RangeError('y') }))).toMatch(/^Error .*, from RangeError /)
    expect(describeThrown(round).length).toBeLessThan(1_000)
  })
})

describe('logged query', () => {
  it('keeps its keywords and drops its values', () => {
    expect(
      describeQuery(`SELECT id -- it's a comment
        FROM threads WHERE subject = 'it''s a divorce' AND n > 12.5 AND inbox = ? LIMIT 20`),
    ).toBe('SELECT id FROM threads WHERE subject = ? AND n > ? AND inbox = ? LIMIT ?')
    expect(describeQuery(`SELECT 'divorce`)).toBe('SELECT ?')
  })
})
