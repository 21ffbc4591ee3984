// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { DraftEditor } from '../../../src/renderer/features/writing/draft-editor.svelte.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { toOutgoingHtml } from '../../../src/renderer/features/writing/outgoing-html.ts'
import type { CommandInput, CommandName } from '../../../src/shared/contract.ts'
import { MAX_CHUNK_LENGTH } from '../../../src/shared/model.ts'
import type { DraftContent, DraftFile } from '../../../src/shared/drafts.ts'

const SIGNATURE = toOutgoingHtml('<p>Ann</p>')

const NEW_DRAFT = {
  id: 'draft-1',
  inboxId: 'inbox-1',
  kind: 'new',
  target: null,
  original: null,
  remindAt: null,
  revision: 1,
  state: { kind: 'open' },
} as const

type Piece = CommandInput<'draft.addFile'>

const setUp = (content: Partial<DraftContent> = {}, answers: (piece: Piece) => unknown = () => undefined) => {
  const pieces: Piece[] = []
  const call = (name: CommandName, input: unknown): Promise<unknown> => {
    if (name !== 'draft.addFile') return Promise.resolve({ ok: true, data: null })
    const piece = input as Piece
    pieces.push(piece)
    const file: DraftFile = {
      id: `file-${piece.filename}`,
      filename: piece.filename,
      contentType: piece.contentType,
      size: 7,
      digest: null,
      contentId: piece.isInline ? 'picture@linnet' : null,
      platformId: null,
    }
    return Promise.resolve(answers(piece) ?? { ok: true, data: piece.isLast ? file : null })
  }
  const editing = new DraftEditor(
    { call: call as never },
    { ...NEW_DRAFT, content: { ...createEmptyContent(), ...content } },
    { own: [], signatureOf: () => '' },
  )
  return { editing, pieces }
}

const addresses = (people: readonly { readonly address: string }[]) => people.map(({ address }) => address)

it('parses recipients from a list, without duplicates, and keeps invalid ones', () => {
  const { editing } = setUp({ cc: [{ name: null, address: 'BO@b.example' }] })
  editing.typed.to = 'Ann Lee <ann@a.example>; "Lee, Cy" <cy@c.example>, bo@b.example\nwhat is this, ANN@a.example'
  editing.commit('to')
  expect(editing.content.to).toEqual([
    { name: 'Ann Lee', address: 'ann@a.example' },
    { name: 'Lee, Cy', address: 'cy@c.example' },
    { name: null, address: 'what is this' },
  ])
  expect(editing.typed.to).toBe('')
  editing.removeRecipient('to', 2)
  expect(addresses(editing.content.to)).toEqual(['ann@a.example', 'cy@c.example'])
})

it('includes unfinished recipients when the message is checked', () => {
  const { editing } = setUp({ subject: 'a', text: 'b', format: 'plain' })
  editing.typed.cc = 'ann@a.example'
  expect(editing.check()).toEqual({ blocked: [], questions: [], lacksFile: false })
  expect(addresses(editing.content.cc)).toEqual(['ann@a.example'])
})

it('reads the editor only on demand and tracks unsaved changes', () => {
  const { editing } = setUp()
  let words = '<p>One <b class="x" onclick="1">two</b></p>'
  let reads = 0
  const read = (): string => {
    reads += 1
    return words
  }
  editing.attach({ read, insert: () => undefined, focus: () => undefined, caret: () => 0 })
  expect(editing.isDirty).toBe(false)
  editing.bodyChanged()
  editing.bodyChanged()
  expect(reads).toBe(0)
  const { html, text } = editing.content
  expect(html).toBe('<p style="margin:0 0 1em">One <b>two</b></p>')
  expect(text).toBe('One two')
  expect(editing.content.html).toBe(html)
  expect(reads).toBe(1)
  const kept = editing.version
  words = '<p>Three</p>'
  editing.bodyChanged()
  editing.markSaved(kept)
  expect(editing.isDirty).toBe(true)
  // The text survives detaching the editor.
  editing.attach(null)
  expect(editing.content.text).toBe('Three')
  editing.markSaved(editing.version)
  expect(editing.isDirty).toBe(false)
})

it('ignores a replaced editor that detaches late', () => {
  const { editing } = setUp()
  const editorOf = (words: string) => ({
    read: () => words,
    insert: () => undefined,
    focus: () => undefined,
    caret: () => 0,
  })
  const [former, now] = [editorOf('<p>One</p>'), editorOf('<p>Two</p>')]
  editing.attach(former)
  editing.attach(now)
  editing.detach(former)
  editing.bodyChanged()
  expect(editing.content.text).toBe('Two')
})

it('switches between rich and plain text, losslessly if unchanged', () => {
  const { editing } = setUp({ html: '<p>One <strong>two</strong></p>', text: 'One two' })
  const { html } = editing.content
  editing.setFormat('plain')
  expect(editing.content).toMatchObject({ format: 'plain', html: '', text: 'One two' })
  editing.setFormat('rich')
  expect(editing.content.html).toBe(html)
  editing.setFormat('plain')
  editing.attach({ read: () => 'One <two>\n\nthree', insert: () => undefined, focus: () => undefined, caret: () => 0 })
  editing.bodyChanged()
  editing.setFormat('rich')
  expect(editing.content.html).toBe(
    '<p style="margin:0">One &lt;two&gt;</p><p style="margin:0"><br></p><p style="margin:0">three</p>',
  )
})

it('cleans HTML from elsewhere, such as a colleague’s draft', () => {
  const hostile = '<p onclick="1">a</p><script>1</script><img src="https://evil.example/a.png">'
  const { editing } = setUp({ html: hostile, quote: { html: hostile, text: 'a' } })
  for (const html of [editing.content.html, editing.content.quote?.html]) {
    expect(html).toBe('<p style="margin:0 0 1em">a</p>')
  }
  editing.replace({ ...createEmptyContent(), html: hostile })
  expect(editing.content.html).toBe('<p style="margin:0 0 1em">a</p>')
})

it('uploads a file in parts that add up to it', async () => {
  const { editing, pieces } = setUp()
  const bytes = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) % 251)
  await editing.uploads.add([new File([bytes], 'plan.pdf', { type: 'application/pdf' })])
  expect(pieces.map(({ place, isLast }) => [place, isLast])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ])
  expect(pieces.every(({ base64 }) => base64.length <= MAX_CHUNK_LENGTH)).toBe(true)
  const whole = pieces.map(({ base64 }) => atob(base64)).join('')
  expect(whole.length).toBe(bytes.length)
  expect(bytes.every((byte, index) => whole.charCodeAt(index) === byte)).toBe(true)
  expect(editing.content.files.map(({ filename }) => filename)).toEqual(['plan.pdf'])
  expect(editing.uploads.shown).toEqual([])
  expect(editing.isDirty).toBe(true)
})

it('rejects files with the reason, before uploading them', async () => {
  const { editing, pieces } = setUp()
  const big = new File([''], 'film.mov')
  Object.defineProperty(big, 'size', { value: 26 * 1024 * 1024 })
  await editing.uploads.add([new File(['x'], 'setup.exe'), big])
  expect(pieces).toEqual([])
  expect(editing.uploads.shown.map(({ problem }) => problem)).toEqual([
    expect.stringContaining('reject this kind of file'),
    expect.stringContaining('The limit is 26 MB'),
  ])
  expect(editing.uploads.isUnderWay).toBe(false)
  const [first] = editing.uploads.shown
  editing.uploads.drop(first?.id ?? '')
  expect(editing.uploads.shown).toHaveLength(1)
  await editing.uploads.add(Array.from({ length: 11 }, (_, index) => new File(['x'], `${index}.txt`)))
  expect(editing.content.files).toHaveLength(10)
  expect(editing.uploads.shown.at(-1)?.problem).toBe('A message can have at most 10 files.')
})

it('inserts a picture by its content ID, in rich text only', async () => {
  const picture = new File(['x'], 'a "b".png', { type: 'image/png' })
  const { editing, pieces } = setUp()
  const inserted: string[] = []
  const editor = {
    read: () => '',
    insert: (html: string) => void inserted.push(html),
    focus: () => undefined,
    caret: () => 0,
  }
  editing.attach(editor)
  await editing.uploads.add([picture], true)
  expect(inserted).toEqual(['<img src="cid:picture@linnet" alt="a b.png">'])
  editing.setFormat('plain')
  editing.attach(editor)
  await editing.uploads.add([picture], true)
  expect(inserted).toHaveLength(1)
  expect(pieces.map(({ isInline }) => isInline)).toEqual([true, false])
})

it('drops a picture removed from the text, and sends it as a file with plain text', async () => {
  const { editing } = setUp()
  let words = ''
  editing.attach({
    read: () => words,
    insert: (html) => void (words = `<p>a ${html}</p>`),
    focus: () => undefined,
    caret: () => 0,
  })
  await editing.uploads.add([new File(['x'], 'a.png', { type: 'image/png' })], true)
  editing.bodyChanged()
  expect(editing.content.files).toHaveLength(1)
  const withPicture = words
  words = '<p>a</p>'
  editing.bodyChanged()
  expect(editing.content.files).toEqual([])
  words = withPicture
  editing.bodyChanged()
  expect(editing.content.files).toHaveLength(1)
  editing.setFormat('plain')
  expect(editing.content).toMatchObject({ html: '', text: 'a [a.png]' })
  expect(editing.content.files).toHaveLength(1)
})

it('reports a failed upload and doesn’t add a cancelled one', async () => {
  const refused = setUp({}, () => ({ ok: false, error: { code: 'failed', message: 'The disk is full.' } }))
  await refused.editing.uploads.add([new File(['x'], 'a.txt')])
  expect(refused.editing.uploads.shown[0]?.problem).toBe('The disk is full.')
  const dropped = setUp()
  const adding = dropped.editing.uploads.add([new File(['x'], 'a.txt')])
  dropped.editing.uploads.drop(dropped.editing.uploads.shown[0]?.id ?? '')
  await adding
  expect(dropped.editing.content.files).toEqual([])
})

it('clears a field’s error when the field changes', () => {
  const { editing } = setUp()
  editing.refusal = { field: 'to', message: 'Suppressed.' }
  editing.set({ subject: 'x' })
  expect(editing.refusal).not.toBeNull()
  editing.addRecipients('bcc', [{ name: null, address: 'a@a.example' }])
  expect(editing.refusal).toBeNull()
})

it('adds the signature, which counts as unsaved only after an edit or on send', () => {
  const signatures: Readonly<Record<string, string>> = { 'inbox-1': SIGNATURE, 'inbox-2': toOutgoingHtml('<p>Ben</p>') }
  const begin = () =>
    new DraftEditor(
      { call: () => Promise.reject(new Error('Nothing is asked.')) },
      { ...NEW_DRAFT, content: createEmptyContent() },
      { own: [], signatureOf: (inboxId) => signatures[inboxId] ?? '' },
    )
  const editing = begin()
  editing.sign()
  expect(editing.content.text).toBe('Ann')
  expect(editing.isDirty).toBe(false)
  editing.addRecipients('to', [{ name: null, address: 'cy@c.example' }])
  expect(editing.check().questions).toContain('The message is empty.')

  editing.inboxId = 'inbox-2'
  expect(editing.content.text).toBe('Ben')
  editing.setFormat('plain')
  expect(editing.content.text).toBe('\n\nBen')
  editing.inboxId = 'inbox-1'
  expect(editing.content.text).toBe('\n\nAnn')
  editing.inboxId = 'inbox-3'
  expect(editing.content.text.trim()).toBe('')

  const untouched = begin()
  untouched.sign()
  untouched.keepSignature()
  expect(untouched.isDirty).toBe(true)
})

it('asks about unfilled placeholders', () => {
  const { editing } = setUp({
    ...{ to: [{ name: null, address: 'cy@c.example' }], subject: 'a', format: 'plain' },
    text: 'Dear {first_name}, {frist_name|x}\n> {quoted}',
  })
  expect(editing.check().questions).toEqual([
    '“{first_name}”, “{frist_name|x}” look like placeholders that were not filled in.',
  ])
})

describe('picture missing from the message', () => {
  const pier: DraftFile = {
    ...{ id: 'pier', filename: 'pier.png', contentType: 'image/png', size: 7, digest: null },
    ...{ contentId: 'pier@linnet', platformId: null },
  }
  const html = '<p>See <img src="cid:pier@linnet" alt="A pier"> and <img src="cid:gone@a" alt="A boat"></p>'

  it('is removed from an opened draft and its quoted text', () => {
    const { content } = setUp({ html, quote: { html, text: '' }, files: [pier] }).editing
    for (const each of [content.html, content.quote?.html ?? '']) {
      expect(each).toContain('cid:pier@linnet')
      expect(each).toContain('[A boat]')
      expect(each).not.toContain('cid:gone')
    }
    expect(content.text).toBe('See [A pier] and [A boat]')
  })

  it('is removed from edited text', () => {
    const { editing } = setUp({ files: [pier] })
    editing.attach({ read: () => html, insert: () => undefined, focus: () => undefined, caret: () => 0 })
    editing.bodyChanged()
    expect(editing.content.html).toContain('cid:pier@linnet')
    expect(editing.content.html).not.toContain('cid:gone')
    expect(editing.content.files).toEqual([pier])
  })

  it('is removed once its file is, in rich and plain text', () => {
    const { editing } = setUp({ html, files: [pier] })
    editing.removeFile('pier')
    expect(editing.content.html).not.toContain('cid:')
    const { editing: other } = setUp({ html, files: [pier] })
    other.setFormat('plain')
    other.removeFile('pier')
    other.setFormat('rich')
    expect(other.content.html).toContain('[A pier]')
    expect(other.content.html).not.toContain('cid:')
  })
})
