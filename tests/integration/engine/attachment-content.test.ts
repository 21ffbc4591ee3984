import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { enveloped, signed } from '../../support/cms-messages.ts'
import { drawPng } from '../../support/drawn-pictures.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { expectOk, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:Walk around the harbour'],
  ...['DTSTART:20261201T140000Z', 'DTEND:20261201T150000Z', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n')
const REPORT =
  'Reporting-MTA: dns; mx.away.example\r\n\r\nFinal-Recipient: rfc822; ola@away.example\r\nAction: failed\r\n'
const SIGNED = [
  'Content-Type: multipart/mixed; boundary="s"\r\n\r\n--s\r\n',
  'Content-Type: text/html\r\n\r\n<p>Signed words</p><img src="cid:plan">\r\n--s\r\n',
  'Content-Type: text/plain; name="tides.txt"\r\nContent-ID: <plan>\r\nContent-Disposition: attachment; filename="tides.txt"\r\n\r\nhigh 06:12\r\n--s--\r\n',
].join('')

const part = (head: string, content: string | Uint8Array): string =>
  `${head}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`
const mixed = (kind: string, ...parts: readonly string[]): string =>
  `Content-Type: multipart/${kind}; boundary="m"\r\n\r\n--m\r\n${parts.join('--m\r\n')}--m--\r\n`
const TEXT = 'Content-Type: text/plain\r\n\r\nWords.\r\n'

/** One delivered and synced message, as listed in its thread and among the received e-mails. */
const prepare = async (message: string, settings: Parameters<typeof startTestPlatform>[0] = {}) => {
  const platform = await startTestPlatform(settings)
  const head = 'From: Nora <nora@away.example>\r\nTo: inbox@example.com\r\nSubject: Read\r\nMIME-Version: 1.0\r\n'
  const raw = `${head}${message}`
  await platform.deliver({ raw, envelope: { from: 'nora@away.example', to: platform.inboxAddress } })
  const door = await startRejectingProxy(platform)
  const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
  const newest = { offset: 0, limit: 1 }
  await eventually(
    () => engine.call('receivedEmail.list', newest),
    ({ total }) => total > 0,
  )
  await engine.settled()
  const { inboxId } = platform
  const { items: threads } = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), ...newest })
  const threadId = threads[0]?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  const { items: received } = await engine.call('receivedEmail.list', newest)
  await engine.call('receivedEmail.get', { id: received[0]?.id ?? '' })
  const inThread: BodyOwner = { list: 'threads', inboxId, threadId, emailId: emails.at(-1)?.id ?? '' }
  const inReceived: BodyOwner = { list: 'received', emailId: received[0]?.id ?? '' }
  return { platform, door, engine, inThread, inReceived }
}
const readingsOf = (engine: TestEngine, of: BodyOwner) => engine.call('attachment.readings', { of })
const namesOf = async (engine: TestEngine, of: BodyOwner) =>
  (await engine.call('attachment.list', { of })).items.map(({ filename }) => filename)

describe('an attachment without a name', () => {
  it.each([
    ['from the platform', {}],
    ['from the raw source', { inboxAttachments: false }],
  ])('gets one from its type in lists and when saved: %s', async (_, settings) => {
    const { engine, inThread, inReceived } = await prepare(
      mixed(
        'mixed',
        TEXT,
        part('Content-Type: application/pdf', '%PDF-1.7'),
        part('Content-Type: message/rfc822', 'Subject: In\r\n\r\nx'),
      ),
      settings,
    )
    for (const of of [inThread, inReceived]) {
      const { items } = await engine.call('attachment.list', { of })
      for (const { id } of items) await engine.call('attachment.open', { of, attachmentId: id })
      expect(await namesOf(engine, of)).toEqual(['attachment.pdf', 'attachment.eml'])
      const [first] = items
      expect(expectOk(await engine.link.attachment('test', of, first?.id ?? '')).filename).toBe('attachment.pdf')
    }
  })
})

describe('the contents of attachments', () => {
  it.each([
    ['the entire e-mail', part('Content-Type: text/calendar; charset=utf-8; method=REQUEST', CALENDAR)],
    [
      'a part and an equal file',
      mixed(
        'mixed',
        mixed('alternative', TEXT, part('Content-Type: text/calendar; method=REQUEST', CALENDAR))
          .replaceAll('"m"', '"a"')
          .replaceAll('--m', '--a'),
        part('Content-Type: application/ics; name="invite.ics"', CALENDAR),
      ),
    ],
    [
      'a file recognized by name',
      mixed('mixed', TEXT, part('Content-Type: application/octet-stream; name="walk.ICS"', CALENDAR)),
    ],
  ])('include an invitation: %s', async (_, message) => {
    const { engine, inThread, inReceived } = await prepare(message)
    for (const of of [inThread, inReceived]) {
      expect(await readingsOf(engine, of)).toEqual([
        {
          kind: 'invitation',
          attachment: expect.objectContaining({ id: expect.any(String) as string }) as object,
          invitation: expect.objectContaining({
            method: 'request',
            events: [expect.objectContaining({ title: 'Walk around the harbour' })],
          }) as object,
        },
      ])
    }
  })

  it.each([
    // A header that is folded within the encoded characters.
    ['ISO-2022-JP', Buffer.from('\x1b$BA%\r\n A%\x1b(B'), '船船', {}],
    ['Shift_JIS', iconv.encode('港の散歩', 'shift_jis'), '港の散歩', {}],
    ['"koi8-r"', iconv.encode('Прогулка', 'koi8-r'), 'Прогулка', {}],
    ['iso-8859-2', iconv.encode('Procházka přístavem', 'iso-8859-2'), 'Procházka přístavem', {}],
    [
      'iso-8859-2',
      iconv.encode('Procházka přístavem', 'iso-8859-2'),
      'Procházka přístavem',
      { inboxAttachments: false },
    ],
  ] as const)('are decoded in their declared charset: %s', async (charset, words, title, settings) => {
    const [before = '', after = ''] = CALENDAR.split('Walk around the harbour')
    const content = Buffer.concat([Buffer.from(before), words, Buffer.from(after)])
    const { engine, inThread, inReceived } = await prepare(
      part(`Content-Type: text/calendar; charset=${charset}; method=REQUEST`, content),
      settings,
    )
    for (const of of [inThread, inReceived]) {
      expect(await readingsOf(engine, of)).toMatchObject([{ kind: 'invitation', invitation: { events: [{ title }] } }])
    }
  })

  it('stay readable offline once read, also after a restart', async () => {
    const { engine, door, platform, inThread } = await prepare(part('Content-Type: text/calendar', CALENDAR))
    expect(await readingsOf(engine, inThread)).toHaveLength(1)
    await engine.close()
    door.refuse(() => 502)
    const again = await openTestEngine({ ...platform, baseUrl: door.baseUrl }, engine.directory)
    expect(await readingsOf(again, inThread)).toMatchObject([{ kind: 'invitation' }])
    expect(await namesOf(again, inThread)).toEqual(['attachment.ics'])
  })

  it('are read offline from the raw source alone', async () => {
    const { engine, door, inThread } = await prepare(part('Content-Type: text/calendar', CALENDAR))
    await engine.call('original.open', { of: inThread })
    door.refuse(() => 502)
    expect(await readingsOf(engine, inThread)).toMatchObject([{ kind: 'invitation' }])
  })

  it('are read only as far as a user would look', async () => {
    const many = Array.from({ length: 12 }, (_, number) =>
      part(`Content-Type: text/calendar; name="${number}.ics"`, CALENDAR.replace('harbour', `pier ${number}`)),
    )
    const { engine, inReceived } = await prepare(mixed('mixed', TEXT, ...many))
    expect(await readingsOf(engine, inReceived)).toHaveLength(8)
  })

  it('are reported missing if they can’t be fetched', async () => {
    const { engine, platform, inThread } = await prepare(
      mixed('mixed', TEXT, part('Content-Type: text/calendar; name="invite.ics"', CALENDAR)),
    )
    await platform.stop()
    expect(await readingsOf(engine, inThread)).toMatchObject([
      { kind: 'unreadable', what: 'invitation', problem: { code: 'unreachable' } },
    ])
  })

  it.each([{}, { inboxAttachments: false }])('include a signed message with its files (M4) %j', async (settings) => {
    const smime = 'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"'
    const { engine, inThread, inReceived } = await prepare(part(smime, signed(SIGNED)), settings)
    for (const of of [inThread, inReceived]) {
      expect(await readingsOf(engine, of)).toMatchObject([
        { kind: 'signed', html: expect.stringContaining('Signed words') as string },
      ])
      expect(await namesOf(engine, of)).toEqual(['smime.p7m', 'tides.txt'])
      const { items } = await engine.call('attachment.list', { of })
      const within = items[1]?.id ?? ''
      const { pieces, version } = await engine.call('attachment.open', { of, attachmentId: within })
      expect(pieces).toBe(1)
      const read = await engine.call('attachment.read', { of, attachmentId: within, version, place: 0 })
      expect(Buffer.from(read, 'base64').toString()).toContain('high 06:12')
      expect(expectOk(await engine.link.attachment('test', of, within)).filename).toBe('tides.txt')
    }
  })

  it('include an invitation within a signature, even at first', async () => {
    const invited = signed(mixed('mixed', TEXT, part('Content-Type: text/calendar; method=REQUEST', CALENDAR)))
    const { engine, inThread } = await prepare(part('Content-Type: application/pkcs7-mime; name="smime.p7m"', invited))
    for (const _ of [1, 2]) {
      const readings = await readingsOf(engine, inThread)
      expect(readings.map(({ kind }) => kind)).toEqual(['signed', 'invitation'])
    }
    expect(await namesOf(engine, inThread)).toEqual(['smime.p7m', 'attachment.ics'])
  })

  it('show the pictures of signed content only', async () => {
    const html = 'Content-Type: text/html\r\n\r\n<img src="cid:dot"><img src="https://192.0.2.1/x.png">\r\n'
    const picture = part('Content-Type: image/png; name="dot.png"\r\nContent-ID: <dot>', drawPng(2, 2))
    const smime = part(
      'Content-Type: application/pkcs7-mime; name="smime.p7m"',
      signed(mixed('related', html, picture)),
    )
    const { engine, inThread: of } = await prepare(smime)
    await readingsOf(engine, of)
    expect(await engine.call('picture.read', { of, url: 'cid:dot', isRetry: false })).toMatchObject({
      type: 'image/png',
    })
    // Rejected because the address isn't public, not as another e-mail's picture.
    const problem = await engine.problemOf('picture.read', { of, url: 'https://192.0.2.1/x.png', isRetry: false })
    expect(problem.message).not.toContain('is not in the message')
    const other = await engine.problemOf('picture.read', { of, url: 'https://192.0.2.1/y.png', isRetry: false })
    expect(other.message).toContain('is not in the message')
  })

  it.each([
    [
      'S/MIME',
      'S/MIME',
      part('Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', enveloped()),
    ],
    [
      'PGP/MIME',
      'PGP',
      mixed(
        'encrypted; protocol="application/pgp-encrypted"',
        part('Content-Type: application/pgp-encrypted', 'Version: 1\r\n'),
        part(
          'Content-Type: application/octet-stream; name="encrypted.asc"',
          '-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n',
        ),
      ),
    ],
    [
      'a PGP file',
      'PGP',
      mixed('mixed', TEXT, part('Content-Type: application/octet-stream; name="a.gpg"', Buffer.from('8501', 'hex'))),
    ],
  ])('report encryption: %s', async (_, by, message) => {
    const { engine, inThread, inReceived } = await prepare(message)
    for (const of of [inThread, inReceived]) {
      expect(await readingsOf(engine, of)).toEqual([
        { kind: 'encrypted', by, attachment: expect.objectContaining({ id: expect.any(String) as string }) as object },
      ])
    }
  })

  it.each([
    ['application/pgp-signature; name="signature.asc"', '-----BEGIN PGP SIGNATURE-----\r\n\r\nx\r\n'],
    ['application/pkcs7-signature; name="smime.p7s"', signed('x')],
    ['application/octet-stream; name="key.asc"', '-----BEGIN PGP PUBLIC KEY BLOCK-----\r\n\r\nx\r\n'],
  ])('ignore signatures and keys: %s', async (type, content) => {
    const { engine, inThread, inReceived } = await prepare(
      mixed('signed', TEXT, part(`Content-Type: ${type}`, content)),
    )
    for (const of of [inThread, inReceived]) expect(await readingsOf(engine, of)).toEqual([])
  })

  it('include a server’s report as text', async () => {
    const { engine, inThread, inReceived } = await prepare(
      mixed(
        'report; report-type=delivery-status',
        TEXT,
        `Content-Type: message/delivery-status\r\n\r\n${REPORT}`,
        'Content-Type: text/rfc822-headers\r\n\r\nSubject: What was sent\r\n',
      ),
    )
    for (const of of [inThread, inReceived]) {
      expect(await readingsOf(engine, of)).toMatchObject([
        { kind: 'report', about: 'delivery', text: expect.stringContaining('Action: failed') as string, isCut: false },
        { kind: 'report', about: 'headers', text: 'Subject: What was sent' },
      ])
      expect(await namesOf(engine, of)).toEqual(['attachment.txt', 'attachment.txt'])
    }
  })

  it.each(['application/ms-tnef; name="winmail.dat"', 'application/octet-stream; name="WINMAIL.DAT"'])(
    'report files packed by Outlook: %s',
    async (type) => {
      const { engine, inThread, inReceived } = await prepare(mixed('mixed', TEXT, part(`Content-Type: ${type}`, 'x')))
      for (const of of [inThread, inReceived]) expect(await readingsOf(engine, of)).toMatchObject([{ kind: 'packed' }])
    },
  )
})
