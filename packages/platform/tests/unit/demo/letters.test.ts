import { describe, expect, it } from 'vitest'
import { parseThreadBlocks } from '../../../src/demo/letter-blocks.ts'
import { mailboxIndex } from '../../../src/demo/mailbox-index.ts'
import { parseThreadDrafts } from '../../../src/demo/parse-letters.ts'
import { readText } from '../../../src/demo/resources.ts'
import type { LetterDraft } from '../../../src/demo/thread-draft.ts'

const thread = (...blocks: readonly string[]): string => `${'='.repeat(30)}\n${blocks.join(`\n${'-'.repeat(30)}\n`)}\n`

const letterOf = (text: string): LetterDraft | undefined =>
  parseThreadDrafts(thread('Subject: A subject', text))[0]?.letters[0]

describe('letters file', () => {
  it('is parsed into threads of blocks with headers and trimmed text', () => {
    const text = `A note.\n\n${thread('Subject: One\nLabels:', 'From: gwen\n\n\nHello\n\n-- \nGwen\n\n')}${thread('Subject:')}`
    const [first = [], second = [], ...more] = parseThreadBlocks(text)
    expect(more).toEqual([])
    expect(first.map((block) => block.body)).toEqual(['', 'Hello\n\n-- \nGwen'])
    expect([first[0]?.text('Subject'), first[0]?.list('Labels'), first[1]?.text('From')]).toEqual(['One', [], 'gwen'])
    expect([second[0]?.text('Subject'), second.length]).toEqual(['', 1])
  })

  it('contains only known headers and people, or reports the unknown ones', () => {
    const faults: readonly (readonly [string, RegExp])[] = [
      ['From: gwen\nLatr: 2 hours\n\nHello', /“From: gwen” has a header Latr/],
      ['From: gwen\nFrom: mara\n\nHello', /two headers From/],
      ['From: gwen\nHello', /“Hello” where a header should be/],
      ['From: gwyn\n\nHello', /“gwyn” is neither an address nor a key/],
      ['Later: 2 hours\n\nHello', /“Later: 2 hours” has no From/],
      ['From: gwen\nLater: soon\n\nHello', /cannot be “soon” later/],
      ['From: gwen\nPlain: maybe\n\nHello', /says neither yes nor no to Plain/],
      ['From: gwen\nAuthentication: pas\n\nHello', /knows no authentication “pas”/],
      ['From: gwen\nCharset: EBCDIC\n\nHello', /writes no letter in EBCDIC/],
      ['From: gwen\nAttach: plan.docx\n\nHello', /does not know what kind of file plan.docx is/],
    ]
    for (const [text, fault] of faults) expect(() => letterOf(text), text).toThrow(fault)
    expect(() => parseThreadDrafts(thread('Subject: Nothing'))).toThrow(/“Subject: Nothing” has no letter/)
    expect(() => parseThreadDrafts(thread('Subject: One\nLabel: Bug', 'From: gwen\n\nHello'))).toThrow(/header Label/)
  })

  it('leaves out its notes, and every divider starts a thread', () => {
    for (const { folder, groups } of mailboxIndex.folders)
      for (const file of groups.flat()) {
        const text = readText(`${folder}/${file}.txt`)
        expect(parseThreadDrafts(text), file).toHaveLength(text.match(/^={20,}$/gm)?.length ?? 0)
      }
  })
})

describe('letter', () => {
  it('has what its headers say', () => {
    const text = [
      ...['From: Rosa | Buffet <rosa@example.org>', 'To: gwen, Ada <ada@example.com>', 'Cc: no.name@example.net'],
      ...[
        'Reply-To: mara',
        'Envelope-From: <>',
        'Subject: Another: one',
        'Later: 30 minutes',
        'Quotes: no',
        'Plain: yes',
      ],
      ...['Automatic: yes', 'Authentication: none', 'Attach: zurek.txt, db-2-week.png', '', 'Hello', '', 'Rosa'],
    ]
    expect(letterOf(text.join('\n'))).toMatchObject({
      from: { name: 'Rosa | Buffet', email: 'rosa@example.org' },
      to: [
        { name: 'Gwen Pritchard', email: 'gwen@harbourloaf.example' },
        { name: 'Ada', email: 'ada@example.com' },
      ],
      cc: [{ name: null, email: 'no.name@example.net' }],
      replyTo: { name: 'Mara at Larkspur', email: 'support@larkspur.example' },
      envelopeFrom: '',
      subject: 'Another: one',
      hoursLater: 0.5,
      quotes: false,
      plain: true,
      automatic: true,
      authentication: 'none',
      text: 'Hello\n\nRosa',
      files: [
        { name: 'zurek.txt', type: 'text/plain; charset=utf-8' },
        { name: 'db-2-week.png', type: 'image/png', cid: 'disk-curve' },
      ],
    })
  })

  it('from a machine shows its text as an escaped table', () => {
    const letter = letterOf(
      'From: a@example.org\nNotice: Disk <full>\nAccent: #123456\n\nUsed: 1: 2\n\nDelete & go on.',
    )
    expect(letter?.text).toBe('Disk <full>\n\nUsed: 1: 2\n\nDelete & go on.')
    expect(letter?.html).toMatch(/<h1[^>]*>Disk &lt;full&gt;<\/h1>.*>Used<\/td><td>1: 2<.*>Delete &amp; go on\.<\/p>/)
    expect(letter).toMatchObject({ automatic: true, quotes: false })
  })
})

describe('mailing and receipt', () => {
  it('are built from a brand’s parts and a vendor’s prices', () => {
    const [mailing, receipt] = parseThreadDrafts(
      thread(
        'Mailing: supplies\nSubject: Towels\nPreheader: Soft.\nHeading: They are back\n\nEight hundred.',
        'Title: Linen, 12\nLink: p/towels\nPrice: £44.80\n\nHeavy.',
      ) + thread('Receipt: T-1\nVendor: crate\nLabels:\n\nTowels, 12: 44.8\nClock: 28\n\nThank you.'),
    )
    expect(mailing).toMatchObject({ subject: 'Towels', labels: [], unread: false })
    expect(mailing?.letters[0].text).toMatch(/^THEY ARE BACK\n\nEight hundred\.\n\nLinen, 12 \(£44\.80\)\nHeavy\./)
    expect(receipt).toMatchObject({ subject: 'Your receipt from Kettle & Crate (T-1)', labels: [] })
    expect(receipt?.letters[0].text).toContain('Towels, 12: £44.80\nClock: £28.00\nVAT 20 %: £14.56\nTotal: £87.36')
    expect(() => parseThreadDrafts(thread('Invoice: T-2\nVendor: nobody\n\nOne: 1'))).toThrow(/no vendor called nobody/)
    expect(() => parseThreadDrafts(thread('Invoice: T-2\nVendor: crate\n\nOne for free'))).toThrow(
      /no price in “One for free”/,
    )
  })
})
