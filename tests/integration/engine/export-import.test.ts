import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FOLDERS } from '../../../src/shared/model.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { exportAll } from './support/exporting.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { listCached } from './support/compare-with-platform.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** Every e-mail as the user sees it, with the exact attachments, sorted by Message-ID. */
const everyEmail = async (engine: TestEngine, inboxId: string) => {
  const emails = []
  // A thread with a reply is also listed in `sent`.
  const seen = new Set<string>()
  for (const folder of FOLDERS) {
    const items = await listCached(engine, inboxId, folder)
    for (const { id: threadId, folder: lies, labels, read } of items) {
      if (seen.has(threadId)) continue
      seen.add(threadId)
      const conversation = await engine.call('thread.open', { inboxId, threadId })
      for (const { id: emailId, ...email } of conversation.emails) {
        const of = { list: 'threads', inboxId, threadId, emailId } as const
        const attachments = []
        for (const { id: attachmentId, filename, contentType } of email.attachments) {
          const { pieces, version } = await engine.call('attachment.open', { of, attachmentId })
          const bytes: string[] = []
          for (let place = 0; place < pieces; place += 1) {
            bytes.push(await engine.call('attachment.read', { of, attachmentId, version, place }))
          }
          attachments.push({ filename, contentType, bytes: bytes.join('') })
        }
        const { from, to, cc, bcc, replyTo, subject, messageId, direction } = email
        emails.push({
          ...{ from, to, cc, bcc, replyTo, subject, messageId, direction, attachments },
          // An exported message always ends with a line break.
          text: email.text?.trimEnd() ?? null,
          html: email.html?.trimEnd() ?? null,
          second: Math.floor(email.receivedAt / 1000),
          thread: conversation.emails[0]?.messageId,
          place: { folder: lies, labels: labels.map(({ name }) => name).toSorted(), read },
        })
      }
    }
  }
  return emails.toSorted((one, other) => (one.messageId ?? '').localeCompare(other.messageId ?? ''))
}

interface ThreadList {
  readonly data: readonly { readonly id: string; readonly subject: string | null }[]
}

const fill = async (platform: TestPlatform): Promise<void> => {
  const at = (minute: number): Date => new Date(Date.UTC(2026, 9, 1, 0, minute))
  await platform.deliver({
    ...{ messageId: '<plain@example.com>', subject: 'Über alles 😀', date: at(1) },
    from: 'Ada Größe <ada@example.com>',
    replyTo: 'desk@example.com',
    cc: 'Bob <bob@example.com>',
    text: 'Hello,\n\nFrom here on\n>From there\n>>From nowhere\n\nFrom ada@example.com Mon Nov  2 09:05:07 2026\nX: y\n\n',
  })
  await platform.deliver({
    ...{
      messageId: '<files@example.com>',
      subject: 'Files',
      date: at(2),
      text: 'See both',
      html: '<p>See <b>both</b></p>',
    },
    attachments: [
      { filename: 'Größe.bin', content: Buffer.from(Array.from({ length: 70_001 }, (_, index) => index % 256)) },
      { filename: 'lines.txt', content: 'one\ntwo\r\nthree\r' },
    ],
  })
  const raw =
    'From: eve@example.com\r\nTo: inbox@linnet.example\r\nMessage-ID: <raw@example.com>\r\nDate: Thu, 1 Oct 2026 00:03:00 +0000\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\xfc\xdfe'
  await platform.deliver({
    raw: Buffer.from(raw, 'latin1'),
    envelope: { from: 'eve@example.com', to: platform.inboxAddress },
  })
  for (const body of [
    { from: platform.inboxAddress, to: 'zoe@example.com', subject: 'Sent alone', html: '<p>Grüße</p>', text: 'Grüße' },
    {
      ...{
        from: `Desk <${platform.inboxAddress}>`,
        to: ['zoe@example.com'],
        bcc: ['secret@example.com'],
        subject: 'With a file',
      },
      text: 'attached',
      attachments: [{ filename: 'sent.bin', content: Buffer.alloc(300_000, 7).toString('base64') }],
    },
  ]) {
    await platform.ask('POST', '/emails', body)
  }
  const { data } = await platform.ask<{ readonly data: readonly { readonly id: string; readonly subject: string }[] }>(
    'GET',
    `/inboxes/${platform.inboxId}/threads?folders=inbox`,
  )
  const thread = data.find(({ subject }) => subject === 'Files')?.id ?? ''
  const emails = await platform.ask<{ readonly data: readonly { readonly id: string }[] }>(
    'GET',
    `/inboxes/${platform.inboxId}/threads/${thread}/emails`,
  )
  const path = `/inboxes/${platform.inboxId}/threads/${thread}/emails/${emails.data[0]?.id ?? ''}/reply`
  await platform.ask('POST', path, { text: 'Thanks', html: '<p>Thanks</p>' })

  const labels = `/inboxes/${platform.inboxId}/labels`
  const makeLabel = (name: string) => platform.ask<{ readonly id: string }>('POST', labels, { name })
  const [worded, plain] = [await makeLabel('Größe, “neu” 😀'), await makeLabel('Work')]
  const change = async (
    subject: string | null,
    state: { readonly folder?: string; readonly read?: boolean },
    carried: readonly { readonly id: string }[],
  ): Promise<void> => {
    const listed = await platform.ask<ThreadList>('GET', `/inboxes/${platform.inboxId}/threads?folders=inbox`)
    const found = listed.data.find((each) => each.subject === subject)
    if (found === undefined) throw new Error(`No thread ${subject}`)
    const thread = `/inboxes/${platform.inboxId}/threads/${found.id}`
    await platform.ask('PUT', `${thread}/labels`, { labels: carried.map(({ id }) => id) })
    await platform.ask('PATCH', thread, state)
  }
  await change('Files', { read: true }, [plain, worded])
  await change('Über alles 😀', { folder: 'archive' }, [worded])
  await change(null, { folder: 'trash', read: true }, [])
}

/** An archive of `.eml` files stores their folders and no other state. */
const inFolderAlone = (emails: Awaited<ReturnType<typeof everyEmail>>) =>
  emails.map(({ place: { folder }, ...email }) => ({ ...email, place: { folder, labels: [], read: false } }))

describe('a reimported export', () => {
  it.each(['mbox', 'zip', 'jsonl'] as const)(
    'gives another account the same messages in their folders (%s)',
    async (format) => {
      const platform = await startTestPlatform({ trustDate: true })
      await fill(platform)
      const engine = await openSettledEngine(platform)
      const expected = await everyEmail(engine, platform.inboxId)
      expect(expected).toHaveLength(6)
      expect(expected.flatMap(({ attachments }) => attachments)).toHaveLength(3)
      const { path } = await exportAll(engine, temporaryDirectory(), { format })

      const other = await startTestPlatform({}, { imports: [path] })
      const reader = await openSettledEngine(other)
      const found = await everyEmail(reader, other.inboxId)
      if (format === 'zip') {
        expect(inFolderAlone(found)).toEqual(inFolderAlone(expected))
        return
      }
      expect(found).toEqual(expected)
      expect(new Set(expected.map(({ place }) => JSON.stringify(place)))).toEqual(
        new Set(
          [
            { folder: 'inbox', labels: ['Größe, “neu” 😀', 'Work'], read: true },
            { folder: 'archive', labels: ['Größe, “neu” 😀'], read: false },
            { folder: 'trash', labels: [], read: true },
            { folder: 'sent', labels: [], read: true },
          ].map((place) => JSON.stringify(place)),
        ),
      )
    },
  )

  it('is recognized as imported before, in any format', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    await fill(platform)
    const engine = await openSettledEngine(platform)
    const folder = temporaryDirectory()
    const paths = [
      (await exportAll(engine, folder)).path,
      (await exportAll(engine, folder, { format: 'zip' })).path,
      (await exportAll(engine, folder, { format: 'jsonl' })).path,
    ]
    const other = await startTestPlatform({}, { imports: paths })
    const reader = await openSettledEngine(other)
    expect(await everyEmail(reader, other.inboxId)).toEqual(await everyEmail(engine, platform.inboxId))
  })

  it('is rejected with the line number if a line is invalid', async () => {
    const path = join(temporaryDirectory(), 'mail.jsonl')
    await writeFile(path, '{"version":2}\n')
    await expect(startTestPlatform({}, { imports: [path] })).rejects.toThrow(`${path}, line 1: this is no e-mail`)
    await writeFile(path, '\nnonsense\n')
    await expect(startTestPlatform({}, { imports: [path] })).rejects.toThrow(`${path}, line 2: this is no e-mail`)
  })

  it('is recognized by its own account, message by message', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    await fill(platform)
    const engine = await openSettledEngine(platform)
    const { path } = await exportAll(engine, temporaryDirectory(), { format: 'mbox' })
    // Exporting the imported mail adds not one byte: headers that the mbox added aren't part of a message.
    const other = await startTestPlatform({}, { imports: [path] })
    const reader = await openSettledEngine(other)
    const again = await exportAll(reader, temporaryDirectory(), { format: 'mbox' })
    const received = (file: Buffer): readonly string[] =>
      file
        .toString('latin1')
        .split(/^From .*\n/m)
        .filter((message) => !message.includes('X-Linnet-Rebuilt'))
        .map((message) => message.trimEnd())
    expect(received(await readFile(again.path))).toEqual(received(await readFile(path)))
  })

  it('is complete as files in a folder', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    await fill(platform)
    const engine = await openSettledEngine(platform)
    const { path } = await exportAll(engine, temporaryDirectory(), { format: 'zip' })
    const folder = temporaryDirectory()
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(path)))) {
      await writeFile(join(folder, name.replaceAll('/', ' ')), bytes)
    }
    const other = await startTestPlatform({}, { imports: [folder] })
    const reader = await openSettledEngine(other)
    expect(await everyEmail(reader, other.inboxId)).toHaveLength(6)
  })
})
