import { describe, expect, it } from 'vitest'
import { canonicalizeAddress, listAddressForms } from '../../../../src/engine/store/canonical-address.ts'

describe('an address', () => {
  it.each([
    ['Ann.Lee@Example.COM', 'ann.lee@example.com'],
    [' ann@example.com ', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ANN@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
    ['ÖRJAN@example.com', 'örjan@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['nobody', 'nobody'],
    ['ann@not a domain', 'ann@not a domain'],
  ])('%j is compared as %j', (written, canonical) => {
    expect(canonicalizeAddress(written)).toBe(canonical)
    expect(canonicalizeAddress(canonical)).toBe(canonical)
  })

  it('is looked up in both forms of its domain', () => {
    expect(new Set(listAddressForms('Ann@Bücher.example'))).toEqual(
      new Set(['ann@bücher.example', 'ann@xn--bcher-kva.example']),
    )
    expect(listAddressForms('ann@example.com')).toEqual(['ann@example.com'])
    expect(listAddressForms('nobody')).toEqual(['nobody'])
  })
})
