import { describe, expect, it } from 'vitest'
import { checkBeforeSending, mentionsAttachment } from '../../../src/renderer/features/writing/send-check.ts'
import type { DraftContent, DraftFile, DraftKind } from '../../../src/shared/drafts.ts'

const CONTENT: DraftContent = {
  to: [{ name: null, address: 'ann@harbour.example' }],
  cc: [],
  bcc: [],
  subject: 'The gate',
  format: 'plain',
  html: '',
  text: 'It opens.',
  quote: null,
  files: [],
}
const FILE: DraftFile = {
  id: 'file-1',
  filename: 'a.pdf',
  contentType: 'application/pdf',
  size: 1,
  digest: null,
  contentId: null,
  platformId: null,
}

const check = (change: Partial<DraftContent>, kind: DraftKind = 'new', isUploading = false) =>
  checkBeforeSending(
    { ...CONTENT, ...change },
    { kind, known: ['me@linnet-mail.example', 'bo@quillworks.com'], isUploading, leftOut: [] },
  )

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: null, address: `p${index}@harbour.example` }))

it('sends a complete message without questions', () => {
  expect(check({})).toEqual({ blocked: [], questions: [], lacksFile: false })
})

describe('blocking faults', () => {
  it('name their field', () => {
    expect(check({ to: [] }).blocked.map(({ field }) => field)).toEqual(['to'])
    expect(check({ cc: [{ name: null, address: 'nobody' }] }).blocked).toEqual([
      { field: 'to', message: '“nobody” is not an email address. Correct or remove it.' },
    ])
    expect(check({ bcc: people(50) }).blocked[0]?.message).toContain('this one has 51. Remove 1.')
    expect(check({ bcc: people(49) }).blocked).toEqual([])
    expect(check({}, 'new', true).blocked.map(({ field }) => field)).toEqual(['files'])
  })
})

describe('questions before sending', () => {
  it.each([
    'See the attached drawing.',
    'Anbei die Zeichnung.',
    'Im Anhang finden Sie alles',
    'Vous trouverez ci-joint le plan',
    'Adjunto el plano',
    'Segue em anexo',
    'In allegato il disegno',
    'In de bijlage',
    'W załączniku przesyłam',
    'Jag bifogar ritningen',
  ])('ask about a missing attachment: %s', (text) => {
    expect(check({ text })).toMatchObject({
      questions: ['You mention an attachment, but nothing is attached.'],
      lacksFile: true,
    })
    expect(check({ text, files: [FILE] }).questions).toEqual([])
    // An inline picture doesn't count.
    expect(check({ text, files: [{ ...FILE, contentId: 'a@b' }] }).questions).toHaveLength(1)
  })

  it('ignore other words and quoted text', () => {
    for (const text of [
      'I am not unattached to it',
      'Unanbeißbar',
      '> see the attached file\nThanks',
      'Reattachable',
    ]) {
      expect(mentionsAttachment(text), text).toBe(false)
    }
    expect(check({ quote: { html: 'attached', text: 'attached' } }).questions).toEqual([])
  })

  it('ask about an empty subject or body, except in a forward', () => {
    expect(check({ subject: ' ', text: '' }).questions).toHaveLength(2)
    expect(check({ text: '', quote: { html: 'x', text: 'x' } }, 'forward').questions).toEqual([])
  })

  it('ask about a reply to many people', () => {
    expect(check({ cc: people(10) }, 'replyAll').questions).toEqual(['Your reply will go to 11 people.'])
    expect(check({ cc: people(9) }, 'replyAll').questions).toEqual([])
    expect(check({ cc: people(10) }, 'new').questions).toEqual([])
  })

  it('ask about look-alike domains', () => {
    const to = (address: string) => check({ to: [{ name: null, address }] }).questions
    expect(to('bo@quillwork.com')).toEqual([
      '“bo@quillwork.com” looks like an address at quillworks.com, but it is at quillwork.com.',
    ])
    for (const slip of ['outlok.com', 'gmial.com', 'yaho0.com']) expect(to(`bo@${slip}`), slip).toHaveLength(1)
    for (const other of ['ymail.com', 'mail.com', 'gmail.com']) expect(to(`bo@${other}`), other).toEqual([])
    expect(to('bo@quillworks.com')).toEqual([])
    expect(to('bo@mail.quillworks.com')).toEqual([])
    expect(to('bo@harbour.example')).toEqual([])
  })
})

it('names a file that could not be added', () => {
  const known = { kind: 'forward', known: [], isUploading: false } as const
  const { questions } = checkBeforeSending({ ...CONTENT }, { ...known, leftOut: ['crane.exe'] })
  expect(questions).toContain('“crane.exe” will not be sent.')
})
