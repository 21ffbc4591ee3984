import { describe, expect, it } from 'vitest'
import { describeAuthentication } from '../../../src/renderer/features/trust/describe-authentication.ts'
import { describeSender, judgeSender } from '../../../src/renderer/features/trust/judge-sender.ts'
import type { Authentication } from '../../../src/shared/model.ts'

const judge = (from: string, ...replyTo: readonly string[]): readonly string[] =>
  judgeSender({ from, replyTo }).map(describeSender)

describe('a sender', () => {
  it('whose name holds another address, or is the name of another site, is told of', () => {
    for (const from of [
      '"payouts@bank.example" <x@evil.example>',
      '"Bank, payouts@bank.example" <x@evil.example>',
      'Payouts@Bank.example <x@evil.example>',
      'payouts\uff20bank\uff0eexample <x@evil.example>',
      'payouts@bank\u200b.example <x@evil.example>',
    ]) {
      expect(judge(from), from).toEqual(['The name says payouts@bank.example, and the address is x@evil.example.'])
    }
    // A header that cannot be taken apart is shown whole, and needs no further words.
    expect(judge('Bank <payouts@bank.example> <x@evil.example>')).toEqual([])
    expect(judge('bank.example <x@evil.example>')).toEqual([
      'The name says bank.example, and the address is x@evil.example.',
    ])
  })

  it('to whom an answer would not go is told of, whether it goes to another domain or beside', () => {
    expect(judge('Ann <ann@quill.example>', 'collect@evil.example')).toEqual([
      'Your answer would go to collect@evil.example, which belongs to another domain.',
    ])
    expect(judge('Ann <ann@quill.example>', 'Ann <ann@quill.example>', 'Eve <eve@evil.example>')).toHaveLength(1)
    expect(judge('Ann <ann@news.quill.example>', 'reply@quill.example')).toEqual([
      'Your answer would go to reply@quill.example, another address of the same domain.',
    ])
    expect(judge('ann@ann.github.io', 'bob@bob.github.io')).toEqual([
      'Your answer would go to bob@bob.github.io, which belongs to another domain.',
    ])
  })

  it('who is who they say is told of with no word', () => {
    for (const from of [
      'ann@quill.example',
      'Ann Lee <ann@quill.example>',
      '"ann@quill.example" <ann@quill.example>',
      'ANN@Quill.Example <ann@quill.example>',
      'quill.example <ann@mail.quill.example>',
      'Booking.com <noreply@mail.booking.com>',
      'Node.js Weekly <weekly@js.example>',
      'Dr.No <no@island.example>',
    ]) {
      expect(judge(from), from).toEqual([])
      expect(judge(from, from), from).toEqual([])
    }
  })
})

describe('the badge of the checks', () => {
  const words = (spf: Authentication['spf'], dkim: Authentication['dkim'], dmarc: Authentication['dmarc']) =>
    describeAuthentication({ spf, dkim, dmarc })?.words ?? null

  it('says what is known of the address that is shown, and no more', () => {
    expect(words('pass', 'pass', 'pass')).toBe('Domain confirmed')
    expect(words('fail', 'pass', 'pass')).toBe('Domain confirmed')
    expect(words('pass', 'pass', 'fail')).toBe('Domain not confirmed')
    expect(words('pass', 'fail', 'unknown')).toBe('Checks failed')
    // Passed for some domain, which need not be the one that is shown.
    expect(words('pass', 'pass', 'unknown')).toBe('Domain not checked')
    expect(words('gray', 'gray', 'gray')).toBe('Domain not checked')
  })

  it('is not there where nothing is known', () => {
    expect(words('unknown', 'unknown', 'unknown')).toBeNull()
    expect(words('processing_failed', 'unknown', 'processing_failed')).toBeNull()
  })
})
