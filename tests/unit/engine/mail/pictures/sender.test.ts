import { describe, expect, it } from 'vitest'
import { domainOf, parseSender } from '../../../../../src/engine/own/sender-choices.ts'

describe('the sender of an e-mail', () => {
  it.each([
    ['ann@pier.example', 'ann@pier.example'],
    ['Ann Lee <Ann@Pier.EXAMPLE>', 'ann@pier.example'],
    ['"bank@bank.example" <ann@pier.example>', 'ann@pier.example'],
    ['Ann <ann@b\u00fccher.example.>', 'ann@xn--bcher-kva.example'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    ['ann@\uff50\uff49\uff45\uff52.example', 'ann@pier.example'],
  ])('is the address, in one spelling: %s', (from, address) => {
    expect(parseSender(from)).toEqual({ address, domain: address.replace(/.*@/, '') })
  })

  it.each([
    ...['', 'Ann', 'ann@', '@pier.example', 'ann@pier.example, bob@pier.example', 'a <ann@pier.example> b'],
    ...['"<ann@pier.example>"@evil.example', 'ann@pier.example@evil.example', 'Ann <ann@evil.example/pier.example>'],
    ...[
      'ann pier@pier.example',
      'ann@pi er.example',
      'Ann <ann\uff20evil@pier.example>',
      `${'a'.repeat(500)}@b.example`,
    ],
  ])('is null if unclear: %s', (from) => expect(parseSender(from)).toBeNull())

  it('has a bare domain, without a path', () => {
    expect(domainOf('Pier.Example.')).toBe('pier.example')
    expect(domainOf('pier.example/evil')).toBeNull()
    expect(domainOf('')).toBeNull()
  })
})
