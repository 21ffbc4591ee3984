// @vitest-environment jsdom
import { expect, it } from 'vitest'
import {
  attachOriginal,
  createWithoutPictures,
  type CreateQuoted,
} from '../../../src/renderer/features/writing/attach-original.ts'
import { createReplyContent } from '../../../src/renderer/features/writing/reply-content.ts'
import { DraftEditor } from '../../../src/renderer/features/writing/draft-editor.svelte.ts'
import type { Backend } from '../../../src/renderer/kernel/backend.ts'
import type { DraftFile } from '../../../src/shared/drafts.ts'

const OF = { list: 'threads', inboxId: 'i', threadId: 't', emailId: 'e' } as const
const DOT = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

const file = (filename: string, contentType: string, contentId: string | null): DraftFile => ({
  ...{ id: filename, filename, contentType, size: 1, digest: 'd'.repeat(64), contentId, platformId: null },
})

/** Starts a reply to HTML with these attachments, as the window does. */
const start = async (kind: 'reply' | 'forward', html: string, files: readonly DraftFile[] = []) => {
  let uploads = 0
  const backend = {
    call: (name: string, input: { readonly filename?: string }) => {
      if (name === 'draft.addFrom') return Promise.resolve({ ok: true, data: { files, leftOut: [] } })
      uploads += 1
      const added = file(input.filename ?? '', 'image/gif', `upload-${uploads}@linnet`)
      return Promise.resolve({ ok: true, data: added })
    },
  } as unknown as Pick<Backend, 'call'>
  const bodies = { html, text: null, apart: null }
  const about = {
    direction: 'inbound',
    replyTo: [],
    from: 'ann@a.example',
    to: [],
    cc: [],
    subject: '',
    date: 0,
  } as const
  const create: CreateQuoted = (contentIdOf) => createReplyContent(kind, about, bodies, [], null, contentIdOf)
  const { content, pictures } = await createWithoutPictures(create)
  const editing = new DraftEditor(
    backend,
    {
      ...{
        id: 'd',
        inboxId: 'i',
        kind,
        target: null,
        original: null,
        remindAt: null,
        content,
        revision: 0,
        state: { kind: 'open' },
      },
    } as const,
    { own: [], signatureOf: () => '' },
  )
  await attachOriginal(
    editing,
    { of: OF, bodies, isForward: kind === 'forward', files: files.length, pictures },
    create,
  )
  return editing
}

it('sends an embedded picture as an inline part, in an answer as in a forward', async () => {
  for (const kind of ['reply', 'forward'] as const) {
    const { content } = await start(kind, `<p>See <img src="${DOT}" alt="CHART"></p>`)
    expect(content.files).toMatchObject([{ filename: 'picture-1.gif', contentId: 'upload-1@linnet' }])
    expect(content.quote?.html).toMatch(/<img [^>]*src="cid:upload-1@linnet"/)
    expect(content.quote?.html).not.toContain('[CHART]')
    expect(content.quote?.text).toContain('[CHART]')
  }
})

it('keeps a forwarded inline picture where it was, and lists the other files', async () => {
  const { content } = await start('forward', '<p><img src="cid:pier@a.example" alt="Pic"></p>', [
    file('pier.png', 'image/png', 'pier@a.example'),
    file('terms.pdf', 'application/pdf', 'terms@a.example'),
    file('loose.png', 'image/png', 'loose@a.example'),
  ])
  expect(content.quote?.html).toMatch(/<img [^>]*src="cid:pier@a.example"/)
  expect(content.files.map(({ contentId }) => contentId)).toEqual(['pier@a.example', null, null])
})

it('gives a picture another content ID if programs might not accept its own', async () => {
  const { content } = await start('forward', '<img src="cid:a%24b%20c" alt="Pic">', [
    file('a.png', 'image/png', 'a$b c'),
  ])
  const contentId = content.files[0]?.contentId ?? ''
  expect(contentId).toMatch(/^[\w-]+@linnet$/)
  expect(content.quote?.html).toContain(`cid:${contentId}`)
})

it('finds a picture that is named by its file name', async () => {
  const { content } = await start('forward', '<img src="the%20pier.png" alt="Pic" height="9">', [
    file('the pier.png', 'image/png', null),
  ])
  expect(content.quote?.html).toMatch(/<img [^>]*src="cid:/)
})

it('sends a picture once that the platform has embedded in the HTML', async () => {
  const bytes = Uint8Array.from(atob(DOT.slice(DOT.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
  const { content } = await start('forward', `<img src="${DOT}" alt="Pic">`, [
    { ...file('dot.gif', 'image/gif', 'dot@a.example'), digest },
  ])
  expect(content.files).toMatchObject([{ filename: 'dot.gif', contentId: 'dot@a.example' }])
  expect(content.quote?.html).toContain('cid:dot@a.example')
})

it('finds the type of a picture by its name', async () => {
  const { content } = await start('forward', '<img src="cid:a@a.example" alt="Pic">', [
    file('a.JPG', 'application/octet-stream', 'A@a.example'),
  ])
  expect(content.files).toMatchObject([{ contentType: 'image/jpeg', contentId: 'A@a.example' }])
  expect(content.quote?.html).toContain('cid:A@a.example')
})

it('names the pictures of an answered e-mail, whose sender has them', async () => {
  const { content } = await start('reply', '<img src="cid:pier@a.example" alt="Pic">')
  expect(content.files).toEqual([])
  expect(content.quote?.html).toContain('[Pic]')
})

it('leaves an untouched forward blank', async () => {
  const editing = await start('forward', `<img src="${DOT}" alt="A">`)
  expect(editing.isBlank).toBe(true)
})
