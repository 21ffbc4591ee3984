import { describe, expect, it } from 'vitest'
import { parseSignedMessage, parseCms } from '../../../../../src/engine/mail/attachments/parse-signed-message.ts'
import { parseInWorker } from '../../../../../src/engine/mail/attachments/parse-in-worker.ts'
import {
  compressed,
  deep,
  enveloped,
  signatureAlone,
  signed,
  signedInPieces,
} from '../../../../support/cms-messages.ts'

const WORKER = new URL('../../../../../src/engine/mail/attachments/parts-worker.ts', import.meta.url).pathname
const never = new AbortController().signal
const WORDS = 'Content-Type: text/plain; charset=utf-8\r\n\r\nGrüße from the harbour.\r\n'
const SAID = { kind: 'signed', text: 'Grüße from the harbour.\n', html: null, files: [] }

const asContent = (message: Buffer): string =>
  `Content-Type: application/pkcs7-mime; name="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\n\r\n${message.toString('base64')}\r\n`

describe('an S/MIME message', () => {
  it.each([
    ['signed', signed(WORDS)],
    ['signed, in pieces and without lengths', signedInPieces(Buffer.from(WORDS).toString('latin1'), 7)],
    ['compressed', compressed(WORDS)],
    ['signed, then compressed', compressed(asContent(signed(WORDS)))],
    ['signed, compressed and signed again', signed(asContent(compressed(asContent(signed(WORDS)))))],
  ])('is read when %s', async (name, message) => {
    const read = await parseSignedMessage(message)
    expect(read).toMatchObject(name.includes('pieces') ? { kind: 'signed' } : SAID)
    expect(read.kind === 'signed' ? read.text : null).toContain('from the harbour.')
  })

  it('returns its files and HTML, without detached signatures', async () => {
    const parts = [
      'Content-Type: text/html\r\n\r\n<b>See the plan</b>\r\n',
      'Content-Type: application/pdf; name="plan.pdf"\r\n\r\n%PDF-1.7\r\n',
      'Content-Type: application/pkcs7-signature; name="smime.p7s"\r\n\r\nx\r\n',
    ]
    const mixed = `Content-Type: multipart/mixed; boundary="m"\r\n\r\n--m\r\n${parts.join('--m\r\n')}--m--\r\n`
    const read = await parseSignedMessage(signed(mixed))
    expect(read).toMatchObject({ kind: 'signed', html: expect.stringContaining('See the plan') as string })
    expect(
      read.kind === 'signed' ? read.files.map(({ filename, contentType }) => [filename, contentType]) : null,
    ).toEqual([['plan.pdf', 'application/pdf']])
  })

  it.each([
    ['enveloped', enveloped()],
    ['enveloped and authenticated', enveloped('authenticated')],
    ['signed around an encrypted one', signed(asContent(enveloped()))],
  ])('is reported as encrypted when %s', async (_, message) => {
    expect(await parseSignedMessage(message)).toEqual({ kind: 'encrypted', by: 'S/MIME' })
  })

  it('has no content when it is only a signature', async () => {
    expect(await parseSignedMessage(signatureAlone())).toEqual({ kind: 'none' })
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
  ])('that is %s is abandoned along with its thread', async (_, message) => {
    await expect(parseInWorker(WORKER, 'signed', message, never)).rejects.toMatchObject({
      problem: {
        code: 'refused',
        message: 'Linnet cannot read this S/MIME message. Save the message and open it in another app.',
      },
    })
  })

  it('is read as it is, without inventing a signature check', () => {
    expect(parseCms(signed('x'))).toEqual({ kind: 'content', bytes: Buffer.from('x') })
  })
})
