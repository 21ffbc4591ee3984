import { describe, expect, it } from 'vitest'
import {
  type AnsweredEmail,
  resolveReplyRecipients,
  resolveAuthorRecipient,
  stripSubjectPrefixes,
  toForwardSubject,
  toPlatformReplySubject,
  toReplySubject,
} from '../../../src/shared/reply-recipients.ts'
import { formatRecipient, isAddress, parseRecipient, parseRecipients } from '../../../src/shared/recipients.ts'

const OWN = ['support@linnet.example']
const email = {
  direction: 'inbound' as const,
  from: 'Ann Lee <ann@example.com>',
  to: ['Support <support@linnet.example>', 'bob@example.com'],
  cc: ['"Lee, Cy" <cy@example.com>', 'BOB@example.com', 'ann@example.com'],
  replyTo: [],
}
const addresses = (people: readonly { readonly address: string }[]): readonly string[] =>
  people.map(({ address }) => address)

describe('reply recipients', () => {
  it('are the author alone', () => {
    expect(resolveReplyRecipients(email, OWN, false)).toEqual({
      to: [{ name: 'Ann Lee', address: 'ann@example.com' }],
      cc: [],
    })
  })

  it('are Reply-To addresses, even if the author differs', () => {
    const { to } = resolveReplyRecipients(
      { ...email, replyTo: ['desk@example.com', 'Desk <DESK@example.com>'] },
      OWN,
      false,
    )
    expect(addresses(to)).toEqual(['desk@example.com'])
  })

  it('are the original recipients of an outgoing e-mail', () => {
    const sent = { ...email, direction: 'outbound' as const, from: 'support@linnet.example', to: ['bob@example.com'] }
    expect(addresses(resolveReplyRecipients(sent, OWN, false).to)).toEqual(['bob@example.com'])
  })

  it('include everyone else once for reply-all, except the inbox', () => {
    const { to, cc } = resolveReplyRecipients(email, ['SUPPORT@linnet.example'], true)
    expect(addresses(to)).toEqual(['ann@example.com'])
    expect(cc).toEqual([
      { name: null, address: 'bob@example.com' },
      { name: 'Lee, Cy', address: 'cy@example.com' },
    ])
  })

  it('exclude guesses, but keep unclear addresses visible', () => {
    const from = '"<security@bank.example>"@evil.example'
    expect(resolveReplyRecipients({ ...email, from }, OWN, false).to).toEqual([{ name: null, address: from }])
    expect(isAddress(from)).toBe(false)
    const cc = ['"dock..two."@carrier.example', 'Ann <"ann lee"@example.com>', 'undisclosed-recipients']
    expect(resolveReplyRecipients({ ...email, to: [], cc }, OWN, true).cc).toEqual([
      { name: null, address: '"dock..two."@carrier.example' },
      { name: 'Ann', address: '"ann lee"@example.com' },
      { name: null, address: 'undisclosed-recipients' },
    ])
  })

  it.each([
    ['a sub-address', 'support+sales@linnet.example'],
    ['capitals', 'SUPPORT@Linnet.Example'],
    ['both', 'Support+Orders@LINNET.example'],
  ])('exclude the inbox, even addressed with %s', (_, address) => {
    const to = [`Us <${address}>`, 'bob@example.com']
    const { to: first, cc } = resolveReplyRecipients({ ...email, to, cc: [address] }, OWN, true)
    expect([...addresses(first), ...addresses(cc)]).toEqual(['ann@example.com', 'bob@example.com'])
  })

  it('ignore the inbox in Reply-To, and fall back to the author', () => {
    const own = 'Support+tickets@linnet.example'
    const [beside, alone] = [[own, 'desk@example.com'], [own]].map((replyTo) => ({ ...email, replyTo }))
    for (const isToAll of [false, true]) {
      expect(addresses(resolveReplyRecipients(beside ?? email, OWN, isToAll).to)).toEqual(['desk@example.com'])
      expect(addresses(resolveReplyRecipients(alone ?? email, OWN, isToAll).to)).toEqual(['ann@example.com'])
    }
    // A message to oneself is answered to oneself.
    const sent = { ...email, direction: 'outbound' as const, to: [own] }
    expect(addresses(resolveReplyRecipients(sent, OWN, false).to)).toEqual([own])
  })
})

describe('reply to the author alone', () => {
  const list = 'Crew <crew@lists.example>'
  const posted: AnsweredEmail = { ...email, to: [list, 'bob@example.com'], cc: [] }
  const authorOf = (of: Partial<AnsweredEmail>) => {
    const alone = resolveAuthorRecipient({ ...posted, ...of }, OWN)
    return alone === null ? null : [...addresses(alone.to), ...addresses(alone.cc)]
  }

  it.each<readonly [string, Partial<AnsweredEmail>]>([
    ['the list', { replyTo: [list] }],
    ['the list and the author', { replyTo: [list, 'ann@example.com'] }],
    ['an address of the office', { replyTo: ['office@example.com'], to: ['support@linnet.example'] }],
  ])('is offered if Reply-To names %s', (_, of) => {
    expect(authorOf(of)).toEqual(['ann@example.com'])
  })

  it('goes to the person in Reply-To if a list rewrites From', () => {
    const from = 'Ann Lee via Crew <crew@lists.example>'
    expect(authorOf({ from, replyTo: [list, 'Ann Lee <ann@example.com>'] })).toEqual(['ann@example.com'])
    expect(authorOf({ from, replyTo: [list] }), 'never to the list').toBeNull()
  })

  it('is absent if a reply goes there anyway or the author is the user', () => {
    expect(authorOf({ replyTo: [] })).toBeNull()
    expect(authorOf({ replyTo: ['ANN@example.com'] })).toBeNull()
    expect(authorOf({ replyTo: ['support+tickets@linnet.example'] })).toBeNull()
    expect(authorOf({ from: 'Us <Support+crew@linnet.example>', replyTo: [list] })).toBeNull()
    expect(authorOf({ direction: 'outbound', replyTo: [list] })).toBeNull()
  })
})

describe('subjects of replies', () => {
  type Row = readonly [subject: string | null, reply: string, forward: string]
  const replied = (mark: string): Row => [`${mark} Lunch`, `${mark} Lunch`, `Fwd: ${mark} Lunch`]
  const forwarded = (mark: string): Row => [`${mark} Lunch`, `Re: ${mark} Lunch`, `${mark} Lunch`]

  it.each<Row>([
    ['Lunch', 'Re: Lunch', 'Fwd: Lunch'],
    ['RE: Lunch', 'RE: Lunch', 'Fwd: RE: Lunch'],
    ['fwd: Lunch', 'Re: fwd: Lunch', 'fwd: Lunch'],
    ['Result: good', 'Re: Result: good', 'Fwd: Result: good'],
    [null, 'Re:', 'Fwd:'],
    ...['AW:', 'Antw:', 'SV:', 'VS:', 'Odp:', 'YNT:', 'R:', 'Vá:', 'Απ:', 'Отв:', 'השב:', 'رد:'].map(replied),
    ...['回复：', '回覆:', '返信：', 'Re：', 'Re[2]:', 'RE [12] :', 'Re(3):', 'aw :'].map(replied),
    ...['WG:', 'Fw:', 'TR:', 'Enc:', 'RV:', '转发：', 'Fwd[2]:'].map(forwarded),
    ['Award: Lunch', 'Re: Award: Lunch', 'Fwd: Award: Lunch'],
  ])('%s', (subject, reply, forward) => {
    expect(toReplySubject(subject)).toBe(reply)
    expect(toForwardSubject(subject)).toBe(forward)
  })

  it('lose all prefixes quickly', () => {
    expect(stripSubjectPrefixes(' AW: Fwd[2]:回复：Re: Lunch: noon')).toBe('Lunch: noon')
    const startedAt = performance.now()
    for (const part of ['re: ', 're ', ' ', 're [', 'r: re[1] ']) stripSubjectPrefixes(part.repeat(100_000))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  it('have only their own prefix if the platform completes the draft', () => {
    expect(toPlatformReplySubject('AW: Lunch')).toBe('Re: AW: Lunch')
    expect(toPlatformReplySubject('re: Lunch')).toBe('re: Lunch')
  })

  it('stay within the platform’s length limit', () => {
    expect(toReplySubject('x'.repeat(2_000))).toHaveLength(2_000)
  })
})

describe('addresses', () => {
  it('parse from a list with commas in names, semicolons and line breaks', () => {
    const { recipients, unclear } = parseRecipients('"Lee, Ann" <a@x.example>; b@x.example,\nCy <c@x.example>, nobody')
    expect(recipients).toEqual([
      { name: 'Lee, Ann', address: 'a@x.example' },
      { name: null, address: 'b@x.example' },
      { name: 'Cy', address: 'c@x.example' },
    ])
    expect(unclear).toEqual(['nobody'])
  })

  it.each(['Lee, Ann', 'A "B" C', 'a\\b', 'Ann', 'Ann.Lee', 'ann@other.example'])('round-trip: %s', (name) => {
    const person = { name, address: 'a@x.example' }
    expect(parseRecipient(formatRecipient(person))).toEqual(person)
  })

  it.each([
    ['marks of direction', '\u202aann@example.com\u202c'],
    ['a blank without width', 'ann\u200b@example.com'],
    ['a byte order mark', '\ufeffAnn <ann@example.com>'],
    ['a joiner and a soft hyphen', 'Ann <ann@exam\u00adple\u2060.com>\u200e'],
    ['tags', 'Ann <a\u{e0061}nn@example.com>'],
  ])('lose invisible characters before sending: %s', (_, text) => {
    expect(parseRecipients(text).recipients.map(({ address }) => address)).toEqual(['ann@example.com'])
    expect(isAddress(text)).toBe(false)
  })

  it.each([
    ['Doe, John <john@x.example>; Roe, Jane <jane@x.example>', ['Doe, John', 'Roe, Jane']],
    ['Doe, John <john@x.example>, Roe, Jane <jane@x.example>', ['Doe, John', 'Roe, Jane']],
    ['Doe, John, MD <john@x.example>, Roe, Jane, Jr., PhD <jane@x.example>', ['Doe, John, MD', 'Roe, Jane, Jr., PhD']],
    ['"Doe, John" <john@x.example>, jane@x.example', ['Doe, John', null]],
    ['john@x.example, Jane Roe <jane@x.example>', [null, 'Jane Roe']],
  ])('parse as two people in common notations: %s', (text, names) => {
    const { recipients, unclear } = parseRecipients(text)
    expect(unclear).toEqual([])
    expect(recipients.map(({ address }) => address)).toEqual(['john@x.example', 'jane@x.example'])
    expect(recipients.map(({ name }) => name)).toEqual(names)
  })

  it('never carry a line break into a header', () => {
    expect(formatRecipient({ name: 'Ann\r\nBcc: x@y.example', address: 'a@x.example' })).not.toMatch(/[\r\n]/)
  })

  it.each([
    'a',
    'a@',
    '@b',
    'a b@c',
    'a@b@c',
    '<a@b>',
    `${'a'.repeat(65)}@b.example`,
    '"a@b"@c.example',
    '"a\nb"@c.example',
    '""@c.example',
  ])('are invalid: %s', (text) => {
    expect(isAddress(text)).toBe(false)
  })
})
