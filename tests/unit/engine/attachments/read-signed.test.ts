import { describe, expect, it } from 'vitest'
import { readCms } from '../../../../src/engine/attachments/read-cms.ts'
import { readSigned } from '../../../../src/engine/attachments/read-signed.ts'
import { readInThread } from '../../../../src/engine/attachments/read-parts.ts'
import { compressed, deep, enveloped, signatureAlone, signed, signedInPieces } from '../../../support/cms-messages.ts'

const WORKER = new URL('../../../../src/engine/attachments/parts-worker.ts', import.meta.url).pathname
const never = new AbortController().signal
const WORDS = 'Content-Type: text/plain; charset=utf-8\r\n\r\nGrüße from the harbour.\r\n'
const SAID = { kind: 'signed', text: 'Grüße from the harbour.\n', html: null, files: [] }

/** An S/MIME message as the content of another one. */
const asContent = (message: Buffer): string =>
  `Content-Type: application/pkcs7-mime; name="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\n\r\n${message.toString('base64')}\r\n`

describe('an S/MIME message', () => {
  it.each([
    ['signed', signed(WORDS)],
    ['signed, in pieces and without lengths', signedInPieces(Buffer.from(WORDS).toString('latin1'), 7)],
    ['compressed', compressed(WORDS)],
    ['signed, then compressed', compressed(asContent(signed(WORDS)))],
    ['signed, compressed and signed again', signed(asContent(compressed(asContent(signed(WORDS)))))],
  ])('that is %s is read (M4)', async (name, message) => {
    const read = await readSigned(message)
    expect(read).toMatchObject(name.includes('pieces') ? { kind: 'signed' } : SAID)
    expect(read.kind === 'signed' ? read.text : null).toContain('from the harbour.')
  })

  it('gives its files and HTML, and not the signatures apart that are in it (M4)', async () => {
    const parts = [
      'Content-Type: text/html\r\n\r\n<b>See the plan</b>\r\n',
      'Content-Type: application/pdf; name="plan.pdf"\r\n\r\n%PDF-1.7\r\n',
      'Content-Type: application/pkcs7-signature; name="smime.p7s"\r\n\r\nx\r\n',
    ]
    const mixed = `Content-Type: multipart/mixed; boundary="m"\r\n\r\n--m\r\n${parts.join('--m\r\n')}--m--\r\n`
    const read = await readSigned(signed(mixed))
    expect(read).toMatchObject({ kind: 'signed', html: expect.stringContaining('See the plan') as string })
    expect(
      read.kind === 'signed' ? read.files.map(({ filename, contentType }) => [filename, contentType]) : null,
    ).toEqual([['plan.pdf', 'application/pdf']])
  })

  it.each([
    ['enveloped', enveloped()],
    ['enveloped and authenticated', enveloped('authenticated')],
    ['signed around an encrypted one', signed(asContent(enveloped()))],
  ])('that is %s is said to be encrypted (M4)', async (_, message) => {
    expect(await readSigned(message)).toEqual({ kind: 'encrypted', by: 'S/MIME' })
  })

  it('that is a signature alone has nothing to be read (M4)', async () => {
    expect(await readSigned(signatureAlone())).toEqual({ kind: 'none' })
  })

  it.each([
    ['nested without end', deep(5_000)],
    ['cut off', signed(WORDS).subarray(0, 60)],
    ['no ASN.1 at all', Buffer.from('Hello')],
    ['empty', Buffer.alloc(0)],
    ['a bomb', compressed(Buffer.alloc(40 * 1024 * 1024))],
    [
      'wrapped again and again',
      Array.from({ length: 8 }).reduce<Buffer>((inner) => signed(asContent(inner)), signed(WORDS)),
    ],
  ])('that is %s is given up, and the thread with it (M4)', async (_, message) => {
    await expect(readInThread(WORKER, 'signed', message, never)).rejects.toMatchObject({
      problem: {
        code: 'refused',
        message: 'Linnet cannot read this S/MIME message. Save it to open it in another program.',
      },
    })
  })

  it('is taken as it is: no check of a signature is made up (M4)', () => {
    expect(readCms(signed('x'))).toEqual({ kind: 'content', bytes: Buffer.from('x') })
  })
})
