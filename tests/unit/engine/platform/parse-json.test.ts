import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../src/engine/platform/parse-json.ts'

const LEVELS = 200_000

describe('platform JSON', () => {
  it('is parsed like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12 }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
    expect(Object.entries(parseJson('{"__proto__": {"a": [1]}}') as object)).toEqual([['__proto__', { a: [1] }]])
    expect(() => parseJson('{')).toThrow(SyntaxError)
  })

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['objects that are named like a prototype', '{"__proto__":', '}'],
  ])('can be serialized and copied to another thread, however deeply it is nested: %s', (_what, open, close) => {
    const read = parseJson(`{"id":"t1","odd":${open.repeat(LEVELS)}1${close.repeat(LEVELS)},"subject":"Kept"}`)
    expect(read).toMatchObject({ id: 't1', subject: 'Kept' })
    expect(JSON.stringify(structuredClone(read)).length).toBeLessThan(2000)
    expect({}).not.toHaveProperty('a')
  })
})
