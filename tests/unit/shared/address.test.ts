import { describe, expect, it } from 'vitest'
import { displayName, initials, joinPieces, parseAddress, summaryPieces } from '../../../src/shared/address.ts'

describe('address', () => {
  it('splits into a name and an address', () => {
    expect(parseAddress('Ada Quill <ada@quill.example>')).toMatchObject({
      name: 'Ada Quill',
      address: 'ada@quill.example',
    })
    expect(parseAddress('"Quill, Ada \\"Countess\\"" <ada@quill.example>').name).toBe('Quill, Ada "Countess"')
    expect(parseAddress('ada@quill.example')).toMatchObject({ name: null, address: 'ada@quill.example' })
    expect(parseAddress('<ada@quill.example>').name).toBeNull()
  })

  it('is shown unchanged if unparsable', () => {
    expect(displayName('ada <at> quill <')).toBe('ada <at> quill <')
    expect(displayName('  ')).toBe('Unknown sender')
    expect(displayName(null)).toBe('Unknown sender')
  })

  it('is shown as its name if it has one', () => {
    expect(displayName('Ada <ada@quill.example>')).toBe('Ada')
    expect(displayName('ada@quill.example <ada@quill.example>')).toBe('ada@quill.example')
  })

  it('gives one or two initials in any script, never half a character', () => {
    expect(initials('Ada Lovelace Quill <a@b.example>')).toBe('AQ')
    expect(initials('support@heron.example')).toBe('S')
    expect(initials('山田 太郎 <t@b.example>')).toBe('山太')
    expect(initials('😀 <smile@b.example>')).toBe('?')
  })

  it('is summarised with others', () => {
    expect(joinPieces(summaryPieces(['Ada <a@x.example>', 'b@x.example']))).toBe('Ada, b@x.example')
    expect(joinPieces(summaryPieces(['a@x.example', 'b@x.example', 'c@x.example'], 1))).toBe('a@x.example and 2 more')
  })
})

describe('deceptive address', () => {
  it('is shown in full and marked as unclear', () => {
    for (const lie of [
      '"<security@bank.example>"@evil.example',
      'Bank <security@bank.example> <x@evil.example>',
      '<security@bank.example> x@evil.example',
      'security@bank.example, x@evil.example',
      '"Bank <security@bank.example>" x@evil.example',
      'Bank <"security@bank.example"@evil.example>',
      'security@bank.example (x@evil.example)',
      'Bank <security@bank.example',
      '"Bank <x@evil.example>',
    ]) {
      expect(parseAddress(lie), lie).toEqual({ name: null, address: lie, isUnclear: true })
      expect(displayName(lie)).toBe(`Unclear address: ${lie}`)
    }
  })

  it('is unclear if it contains a look-alike of @', () => {
    for (const text of ['ceo\uff20bank.example@evil.example', 'Bank <ceo\ufe6bbank.example@evil.example>']) {
      expect(parseAddress(text)).toMatchObject({ name: null, isUnclear: true })
      expect(displayName(text)).toContain('Unclear address')
    }
  })

  it('is shown as its real address if the name is a different one', () => {
    for (const lie of [
      'security@bank.example <x@evil.example>',
      '"security@bank.example" <x@evil.example>',
      '"Bank <security@bank.example>" <x@evil.example>',
      'security\uff20bank.example <x@evil.example>',
    ]) {
      expect(displayName(lie), lie).toBe('x@evil.example')
    }
  })

  it('never loses its domain, however long it is', () => {
    expect(displayName(`Bank <${'a'.repeat(5000)}@evil.example>`)).toBe('Bank')
    expect(parseAddress(`Bank <${'a'.repeat(5000)}@evil.example>`).address).toMatch(/^a{200}….*@evil\.example$/)
    expect(displayName(`security@bank.example${'\u00a0'.repeat(500)}<x@evil.example>`)).toBe('x@evil.example')
    expect(displayName(`Bank${'\u00a0\u2003'.repeat(500)}Ltd <x@evil.example>`)).toBe('Bank Ltd')
  })
})
