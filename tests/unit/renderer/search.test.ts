import { describe, expect, it } from 'vitest'
import { checkQuery } from '../../../src/renderer/features/search/check-query.ts'

describe('a search', () => {
  it('may have 256 characters and 32 words (contract, Limits)', () => {
    expect(checkQuery('x'.repeat(256))).toBeNull()
    expect(checkQuery('word '.repeat(32))).toBeNull()
  })

  it('that is too long marks the characters that are too many', () => {
    const fault = checkQuery('x'.repeat(300))
    expect(fault?.message).toContain('256')
    expect(fault?.message).toContain('300')
    expect(fault?.marked).toHaveLength(44)
  })

  it('counts an emoji as one character, and never cuts one in two', () => {
    expect(checkQuery('🐦'.repeat(256))).toBeNull()
    const fault = checkQuery('🐦'.repeat(257))
    expect(fault?.message).toContain('257')
    expect(fault?.marked).toBe('🐦')
  })

  it('with too many words marks the words that are too many', () => {
    const fault = checkQuery(Array.from({ length: 34 }, (_, index) => `w${index}`).join(' '))
    expect(fault?.message).toContain('34')
    expect(fault?.marked).toBe('w32 w33')
    expect(`${fault?.before ?? ''}${fault?.marked ?? ''}`).toMatch(/^w0 .* w33$/)
  })
})
