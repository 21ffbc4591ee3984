import { describe, expect, it } from 'vitest'
import { resolveReplyRecipients } from '../../../src/shared/reply-recipients.ts'
import { isAddressShown, findRecipientWarnings } from '../../../src/renderer/features/writing/recipient-warnings.ts'
import { parseMailto } from '../../../src/renderer/features/writing/external-content.ts'

const OWN = ['inbox@linnet.example']
const headers = (from: string, ...replyTo: string[]) => ({ from, to: OWN, cc: [], replyTo })
const BOSS = headers('"Boss" <boss@bank.example>', '"boss@bank.example" <thief@evil.example>')
const answerOf = (original: ReturnType<typeof headers>) => {
  const { to } = resolveReplyRecipients({ ...original, direction: 'inbound' }, OWN, false)
  return { to, warnings: findRecipientWarnings(to, { kind: 'reply', original, own: OWN }) }
}

describe('address of a recipient', () => {
  it.each([
    ['a name that is an address', 'boss@bank.example', 'boss@bank.example', true],
    ['a name with an address in it', 'Boss (boss＠bank.example)', 'boss@bank.example', true],
    ['another domain', 'Boss', 'thief@evil.example', true],
    ['a domain that begins alike', 'Boss', 'boss@bank.example.evil.example', true],
    ['the domain of the answered sender', 'Boss', 'office@bank.example', false],
    ['a subdomain of it', 'Boss', 'office@mail.bank.example', false],
    ['an address without a name', null, 'boss@bank.example', true],
  ] as const)('shows beside the name only if needed: %s', (_, name, address, isShown) => {
    expect(isAddressShown({ name, address }, BOSS)).toBe(isShown)
  })

  it('always shows if there is no message to answer', () => {
    const { to } = parseMailto('mailto:%22Boss%22%20%3Cthief@evil.example%3E')
    expect(to).toEqual([{ name: 'Boss', address: 'thief@evil.example' }])
    expect(to.map((person) => isAddressShown(person, null))).toEqual([true])
  })
})

describe('recipient warnings', () => {
  it('report a reply to another address under a misleading name', () => {
    const { to, warnings } = answerOf(BOSS)
    expect(to).toEqual([{ name: 'boss@bank.example', address: 'thief@evil.example' }])
    expect(warnings).toEqual([
      'The name says boss@bank.example, but the address is thief@evil.example.',
      'Your reply would go to thief@evil.example, at another domain.',
    ])
  })

  it('are absent for other recipients and honest names', () => {
    const original = BOSS
    const to = [{ name: 'Boss', address: 'boss@bank.example' }]
    expect(findRecipientWarnings(to, { kind: 'reply', original, own: OWN })).toEqual([])
    expect(answerOf(headers('Boss <boss@bank.example>', 'Office <office@bank.example>')).warnings).toEqual([])
    expect(answerOf(headers('boss@bank.example')).warnings).toEqual([])
  })

  it('cover names from mailto: links', () => {
    const { to } = parseMailto('mailto:%22boss@bank.example%22%20%3Cthief@evil.example%3E')
    expect(findRecipientWarnings(to, { kind: 'new', original: null, own: OWN })).toEqual([
      'The name says boss@bank.example, but the address is thief@evil.example.',
    ])
  })
})
