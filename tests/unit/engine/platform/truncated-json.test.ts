import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTruncatedJson } from '../../../../src/engine/platform/parse-json.ts'

/** True if `part` is `whole` with arrays and objects possibly cut short. */
const isPartOf = (part: unknown, whole: unknown): boolean => {
  if (typeof part !== 'object' || part === null) return Object.is(part, whole)
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false
  return Object.entries(part).every(([key, value]) => isPartOf(value, (whole as Record<string, unknown>)[key]))
}

describe('truncated JSON', () => {
  it('is read as far as it goes', () => {
    const text = '{"object":"list","data":[{"id":"e1","to":["a","b"],"n":12,"html":"<p>long'
    expect(parseTruncatedJson(text)).toEqual({ object: 'list', data: [{ id: 'e1', to: ['a', 'b'], n: 12 }] })
    expect(parseTruncatedJson('{"a":{"b":[1,2')).toEqual({ a: { b: [1] } })
    expect(parseTruncatedJson('{"a\\"":"x\\\\","b":"\\')).toEqual({ 'a"': 'x\\' })
    expect(parseTruncatedJson('<html>')).toBeUndefined()
    expect(parseTruncatedJson('')).toBeUndefined()
  })

  it('can be serialized again, however deeply it is nested', () => {
    const read = parseTruncatedJson(`{"data":[{"id":"e","odd":${'[{"a":'.repeat(30_000)}`)
    expect(read).toMatchObject({ data: [{ id: 'e' }] })
    expect(JSON.stringify(read).length).toBeLessThan(1000)
  })

  it('is a part of the complete value, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, choice) => {
        const whole = JSON.parse(JSON.stringify([value])) as unknown
        const text = JSON.stringify(whole)
        const cut = parseTruncatedJson(text.slice(0, choice % (text.length + 1)))
        expect(cut === undefined || isPartOf(cut, whole)).toBe(true)
        expect(parseTruncatedJson(text)).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })
})
