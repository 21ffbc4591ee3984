import { describe, expect, it } from 'vitest'
import { displayName, initials, parseAddress, summariseAddresses } from '../../../src/renderer/ui/address.ts'

describe('an address', () => {
  it('comes apart into a name and an address', () => {
    expect(parseAddress('Ada Quill <ada@quill.example>')).toEqual({ name: 'Ada Quill', address: 'ada@quill.example' })
    expect(parseAddress('"Quill, Ada \\"Countess\\"" <ada@quill.example>').name).toBe('Quill, Ada "Countess"')
    expect(parseAddress('ada@quill.example')).toEqual({ name: null, address: 'ada@quill.example' })
    expect(parseAddress('<ada@quill.example>').name).toBeNull()
  })

  it('is shown as it came where it cannot be understood', () => {
    expect(displayName('ada <at> quill <')).toBe('ada <at> quill <')
    expect(displayName('  ')).toBe('Unknown sender')
    expect(displayName(null)).toBe('Unknown sender')
  })

  it('is shown by its name where there is one', () => {
    expect(displayName('Ada <ada@quill.example>')).toBe('Ada')
    expect(displayName('ada@quill.example <ada@quill.example>')).toBe('ada@quill.example')
  })

  it('gives one or two letters in any script, and never a half of one', () => {
    expect(initials('Ada Lovelace Quill <a@b.example>')).toBe('AQ')
    expect(initials('support@heron.example')).toBe('S')
    expect(initials('山田 太郎 <t@b.example>')).toBe('山太')
    expect(initials('😀 <smile@b.example>')).toBe('?')
  })

  it('is summed up with others', () => {
    expect(summariseAddresses(['Ada <a@x.example>', 'b@x.example'])).toBe('Ada, b@x.example')
    expect(summariseAddresses(['a@x.example', 'b@x.example', 'c@x.example'], 1)).toBe('a@x.example and 2 more')
  })
})
