import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRefusal } from '../../../../src/engine/platform/platform-problem.ts'
import { createKeyRedactor } from '../../../../src/engine/platform/key-redaction.ts'
import { filled, findExcessiveGrowth } from '../../../support/growth.ts'

const KEY = 're_Ab1-c+d/e.f_9Z'
const clean = createKeyRedactor(KEY)
const escaped = (text: string): string =>
  Array.from(text, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('')
const percent = (text: string): string =>
  Array.from(text, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`).join('')

describe('removing the key from platform messages', () => {
  it.each([
    ['as it is', KEY],
    ['in capitals', KEY.toUpperCase()],
    ['escaped for JSON', escaped(KEY)],
    ['escaped for JSON twice', JSON.stringify(escaped(KEY)).slice(1, -1)],
    ['in part escaped', `${escaped(KEY.slice(0, 5))}${KEY.slice(5)}`],
    ['in an address', encodeURIComponent(KEY)],
    ['with every letter in percent', percent(KEY)],
    ['in percent twice', encodeURIComponent(percent(KEY))],
    ['as entities', Array.from(KEY, (character) => `&#${character.charCodeAt(0)};`).join('')],
  ])('%s', (_, written) => expect(clean(`before ${written} after`)).toBe('before … after'))

  it('removes it in base64, alone or after any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        const said = clean(Buffer.from(`${before}${KEY}${after}`).toString('base64'))
        expect(Buffer.from(said, 'base64').toString()).not.toContain(KEY.slice(4, -4))
        expect(said).toContain('…')
      }),
    )
    expect(clean(Buffer.from(`Bearer ${KEY}`).toString('base64url'))).toContain('…')
  })

  it('covers every string of a parsed error', () => {
    const body: unknown = JSON.parse(`{"name":"bad_${escaped(KEY)}","message":"Bearer ${escaped(KEY)} is odd"}`)
    const refusal = toRefusal(422, body, { clean })
    expect(JSON.stringify([refusal.problem, refusal.errorName])).not.toContain(KEY)
    expect(refusal.problem.message).toBe('The platform rejected the request: Bearer … is odd')
  })

  it('leaves other text alone', () => {
    expect(clean('Nothing of it: re_Ab1')).toBe('Nothing of it: re_Ab1')
  })

  it.each(['\\', '%25', '&#0', 'r', KEY.slice(0, -1), '\\\\u0072', ' '])(
    'takes linear time for a long text of %j',
    async (shape) => {
      const growth = await findExcessiveGrowth((length) => {
        const text = filled(shape, length)
        return () => clean(text)
      })
      expect(growth).toBeNull()
    },
  )
})
