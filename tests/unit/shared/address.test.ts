import { describe, expect, it } from 'vitest'
import {
  toDisplayName,
  toInitials,
  joinSegments,
  parseAddress,
  summarizeAddresses,
} from '../../../src/shared/address.ts'

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
    expect(toDisplayName('ada <at> quill <')).toBe('ada <at> quill <')
    expect(toDisplayName('  ')).toBe('Unknown sender')
    expect(toDisplayName(null)).toBe('Unknown sender')
  })

  it('is shown as its name if it has one', () => {
    expect(toDisplayName('Ada <ada@quill.example>')).toBe('Ada')
    expect(toDisplayName('ada@quill.example <ada@quill.example>')).toBe('ada@quill.example')
  })

  it('gives one or two initials in any script, never half a character', () => {
    expect(toInitials('Ada Lovelace Quill <a@b.example>')).toBe('AQ')
    expect(toInitials('support@heron.example')).toBe('S')
    expect(toInitials('山田 太郎 <t@b.example>')).toBe('山太')
    expect(toInitials('😀 <smile@b.example>')).toBe('?')
  })

  it('is summarised with others', () => {
    expect(joinSegments(summarizeAddresses(['Ada <a@x.example>', 'b@x.example']))).toBe('Ada, b@x.example')
    expect(joinSegments(summarizeAddresses(['a@x.example', 'b@x.example', 'c@x.example'], 1))).toBe(
      'a@x.example and 2 more',
    )
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
      expect(toDisplayName(lie)).toBe(`Unclear address: ${lie}`)
    }
  })

  it('is unclear if it contains a look-alike of @', () => {
    for (const text of ['ceo\uff20bank.example@evil.example', 'Bank <ceo\ufe6bbank.example@evil.example>']) {
      expect(parseAddress(text)).toMatchObject({ name: null, isUnclear: true })
      expect(toDisplayName(text)).toContain('Unclear address')
    }
  })

  it('is shown as its real address if the name is a different one', () => {
    for (const lie of [
      'security@bank.example <x@evil.example>',
      '"security@bank.example" <x@evil.example>',
      '"Bank <security@bank.example>" <x@evil.example>',
      'security\uff20bank.example <x@evil.example>',
    ]) {
      expect(toDisplayName(lie), lie).toBe('x@evil.example')
    }
  })

  it('never loses its domain, however long it is', () => {
    expect(toDisplayName(`Bank <${'a'.repeat(5000)}@evil.example>`)).toBe('Bank')
    expect(parseAddress(`Bank <${'a'.repeat(5000)}@evil.example>`).address).toMatch(/^a{200}….*@evil\.example$/)
    expect(toDisplayName(`security@bank.example${'\u00a0'.repeat(500)}<x@evil.example>`)).toBe('x@evil.example')
    expect(toDisplayName(`Bank${'\u00a0\u2003'.repeat(500)}Ltd <x@evil.example>`)).toBe('Bank Ltd')
  })
})
