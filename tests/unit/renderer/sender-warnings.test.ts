import { describe, expect, it } from 'vitest'
import {
  describeSenderWarning,
  findSenderWarnings,
  describeAuthentication,
} from '../../../src/renderer/features/trust/sender-warnings.ts'
import type { Authentication } from '../../../src/shared/authentication.ts'

const OWN = ['juno@cornwallharbour.example', 'juno@gmail.com']

const judge = (from: string, ...replyTo: readonly string[]): readonly string[] =>
  findSenderWarnings({ from, replyTo, to: ['juno@tide.example', 'crew@lists.example'] }, OWN).map(describeSenderWarning)

describe('sender warning', () => {
  it('appears if the name contains another address or site', () => {
    for (const from of [
      '"payouts@bank.example" <x@evil.example>',
      '"Bank, payouts@bank.example" <x@evil.example>',
      'Payouts@Bank.example <x@evil.example>',
      'payouts\uff20bank\uff0eexample <x@evil.example>',
      'payouts@bank\u200b.example <x@evil.example>',
    ]) {
      expect(judge(from), from).toEqual(['The name says payouts@bank.example, but the address is x@evil.example.'])
    }
    // An unparsable header is shown in full and needs no warning.
    expect(judge('Bank <payouts@bank.example> <x@evil.example>')).toEqual([])
    expect(judge('bank.example <x@evil.example>')).toEqual([
      'The name says bank.example, but the address is x@evil.example.',
    ])
  })

  it('appears if replies go to another address, at the same domain or not', () => {
    expect(judge('Ann <ann@quill.example>', 'collect@evil.example')).toEqual([
      'Your reply would go to collect@evil.example, at another domain.',
    ])
    expect(judge('Ann <ann@quill.example>', 'Ann <ann@quill.example>', 'Eve <eve@evil.example>')).toHaveLength(1)
    expect(judge('Ann <ann@news.quill.example>', 'reply@quill.example')).toEqual([
      'Your reply would go to reply@quill.example, another address at the same domain.',
    ])
    expect(judge('ann@ann.github.io', 'bob@bob.github.io')).toEqual([
      'Your reply would go to bob@bob.github.io, at another domain.',
    ])
  })

  it('appears if the name spells out an address or combines a site with a role', () => {
    for (const [name, named] of [
      ['payouts @ bank.com', 'payouts@bank.com'],
      ['payouts (at) bank.com', 'payouts@bank.com'],
      ['payouts [at] bank [dot] com', 'payouts@bank.com'],
      ['payouts ＠ bank．com', 'payouts@bank.com'],
      ['"Bank (payouts@bank.com)"', 'payouts@bank.com'],
      ["'payouts@bank.com' via Mail", 'payouts@bank.com'],
      ['bank.com Support', 'bank.com'],
      ['Ann Lee at bank.com', 'bank.com'],
      ['The bank.com Security Team', 'bank.com'],
      ['bank.comカスタマーサービス', 'bank.com'],
      ['bаnk.com', 'bаnk.com'],
      ['www.bank.com', 'www.bank.com'],
      ['https://bank.com', 'bank.com'],
    ] as const) {
      expect(judge(`${name} <x@evil.example>`), name).toEqual([
        `The name says ${named}, but the address is x@evil.example.`,
      ])
    }
  })

  it('appears only for domains that imitate one of the user’s own', () => {
    const told = (domain: string): boolean =>
      judge(`Ann <ann@${domain}>`).some((words) => words.includes('imitates your domain'))
    for (const domain of [
      'comwallharbour.example',
      'cornwa11harbour.example',
      'cornwallharbuor.example',
      'cornwalharbour.example',
      'cornwallharbours.example',
      'cornwall-harbour.example',
      'mail.cornwallharb0ur.example',
      'cornwаllharbour.example',
      'gmaıl.com',
      'gmai1.com',
    ]) {
      expect(told(domain), domain).toBe(true)
    }
    for (const domain of [
      'cornwallharbour.example',
      'mail.cornwallharbour.example',
      'cornwall.example',
      'harbour.example',
      'cornwallharbour.com',
      'cornwallharbour2.example',
      'ymail.com',
      'email.com',
      'mail.com',
      'googlemail.com',
    ]) {
      expect(told(domain), domain).toBe(false)
    }
  })

  it('is mild for replies to a list on the message, and absent for the same person', () => {
    expect(judge('Ann <ann@quill.example>', 'crew@lists.example')).toEqual([
      'Your reply would go to crew@lists.example, which also received this message.',
    ])
    expect(judge('Ann <ann@quill.example>', 'crew@lists.example', 'eve@evil.example')).toEqual([
      'Your reply would go to eve@evil.example, at another domain.',
    ])
    expect(judge('Ann <ann@quill.example>', 'Ann+list@Quill.example')).toEqual([])
    expect(judge('Ann <ann.lee@gmail.com>', 'annlee@googlemail.com')).toEqual([])
    expect(judge('no-reply@quill.example', 'support@quill.example')).toEqual([])
    expect(judge('notifications@quill.example', 'reply+a1b2@reply.quill.example')).toEqual([])
    expect(judge('no-reply@quill.example', 'support@evil.example')).toHaveLength(1)
    expect(judge('Ann <ann@quill.example>', 'undisclosed-recipients:;')).toEqual([])
  })

  it('is absent for honest senders', () => {
    for (const from of [
      'ann@quill.example',
      'Ann Lee <ann@quill.example>',
      '"ann@quill.example" <ann@quill.example>',
      'ANN@Quill.Example <ann@quill.example>',
      'quill.example <ann@mail.quill.example>',
      'Booking.com <noreply@mail.booking.com>',
      'Node.js Weekly <weekly@js.example>',
      'Dr.No <no@island.example>',
      'Ann Lee, M.Sc. <ann@island.example>',
      'Huber GmbH & Co.KG <info@huber.example>',
      'Dr.med. Lee <lee@praxis.example>',
      '"ann+news@quill.example" <ann@quill.example>',
      'Ann (quill.example) <ann@quill.example>',
      'Ann Lee at Quill.example <ann@quill.example>',
      'Ann at night <ann@quill.example>',
      'Quill.example Support <help@mail.quill.example>',
      'Jo Weekly 5.0 <jo@js.example>',
    ]) {
      expect(judge(from), from).toEqual([])
      expect(judge(from, from), from).toEqual([])
    }
  })
})

describe('authentication badge', () => {
  const words = (spf: Authentication['spf'], dkim: Authentication['dkim'], dmarc: Authentication['dmarc']) =>
    describeAuthentication({ spf, dkim, dmarc })?.words ?? null

  it('claims only what is known about the address shown', () => {
    expect(words('pass', 'pass', 'pass')).toBe('Domain confirmed')
    expect(words('fail', 'pass', 'pass')).toBe('Domain confirmed')
    expect(words('pass', 'pass', 'fail')).toBe('Domain not confirmed')
    expect(words('fail', 'fail', 'unknown')).toBe('Checks failed')
    expect(words('fail', 'gray', 'gray')).toBe('Checks failed')
    expect(words('unknown', 'fail', 'unknown')).toBe('Checks failed')
    // The e-mail was forwarded, or sent through a list that adds a line.
    expect(words('fail', 'pass', 'unknown')).toBe('Domain not checked')
    expect(words('pass', 'fail', 'unknown')).toBe('Domain not checked')
    expect(words('pass', 'fail', 'gray')).toBe('Domain not checked')
    expect(words('fail', 'pass', 'fail')).toBe('Domain not confirmed')
    // The check passed for some domain, not necessarily the one shown.
    expect(words('pass', 'pass', 'unknown')).toBe('Domain not checked')
    expect(words('gray', 'gray', 'gray')).toBe('Domain not checked')
  })

  it('is absent if nothing is known', () => {
    expect(words('unknown', 'unknown', 'unknown')).toBeNull()
    expect(words('processing_failed', 'unknown', 'processing_failed')).toBeNull()
  })
})
