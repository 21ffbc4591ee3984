import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../../src/engine/timing/clock.ts'
import { findAttachmentPart } from '../../../../../src/engine/sync/attachment-parts.ts'
import { MESSAGE_PARSE_LIMITS, parseInWorker } from '../../../../../src/engine/mail/attachments/parse-in-worker.ts'

const WORKER = new URL('../../../../../src/engine/mail/attachments/parts-worker.ts', import.meta.url).pathname
const never = new AbortController().signal
const head = 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n'
const file = 'Content-Disposition: attachment; filename="a.txt"\r\n\r\nwords\r\n--b--\r\n'

/**
 * Mail in which each line must be compared with each boundary, almost to its end: that would take hours for a few
 * megabytes.
 */
const ENDLESS = ((): Uint8Array => {
  const same = 'b'.repeat(60)
  const levels = Array.from({ length: 190 }, (_, level) => `${same}${level}`)
  const opening = levels.map(
    (boundary) => `Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n`,
  )
  return Buffer.from(`${opening.join('')}\r\n${`--${same}${' '.repeat(20)}x\r\n`.repeat(120_000)}`)
})()

const DEEP = Buffer.from(
  Array.from({ length: 400 }, (_, level) => head.replaceAll('"b"', `"c${level}"`).replace('--b', `--c${level}`)).join(
    '',
  ),
)

describe('a parsed raw message', () => {
  it('returns its parts', async () => {
    const parts = await parseInWorker(WORKER, 'original', Buffer.from(head + file), never)
    expect(parts.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()])).toEqual([
      ['a.txt', 'words\n'],
    ])
  })

  it.each([
    ['a charset of DOS', "filename*=cp850''Gr%81%E1e.txt"],
    ['an encoded word in one', 'filename="=?IBM850?Q?Gr=81=E1e.txt?="'],
    ['no charset at all', 'filename="Gr\xfc\xdfe.txt"'],
  ])('returns file names as the platform does, in %s', async (_, filename) => {
    const original = Buffer.from(`${head}Content-Disposition: attachment; ${filename}\r\n\r\nx\r\n--b--\r\n`, 'latin1')
    expect((await parseInWorker(WORKER, 'original', original, never)).map((part) => part.filename)).toEqual([
      'Grüße.txt',
    ])
  })

  it('returns files despite another boundary in the headers', async () => {
    const original = Buffer.from(head.replace('"b"', '"other"') + file)
    expect((await parseInWorker(WORKER, 'original', original, never)).map((part) => part.filename)).toEqual(['a.txt'])
  })

  it('returns uuencoded files in a text', async () => {
    const original = Buffer.from('\r\nSee it.\r\nbegin 644 ship.txt\r\n#:&DA\r\n`\r\nend\r\n')
    const parts = await parseInWorker(WORKER, 'original', original, never)
    expect(parts.map(({ filename, bytes }) => [filename, Buffer.from(bytes).toString()])).toEqual([['ship.txt', 'hi!']])
  })

  it.each<readonly [string, Uint8Array, Partial<typeof MESSAGE_PARSE_LIMITS>]>([
    ['takes for ever', ENDLESS, { longest: 300 }],
    ['takes the memory', Buffer.from(`${head}\r\n${'\r\n'.repeat(2_000_000)}`), { memory: 24 }],
    ['has parts in parts without end', DEEP, {}],
  ])('is rejected with a message if it %s', async (_, original, limits) => {
    await expect(
      parseInWorker(WORKER, 'original', original, never, systemClock, { ...MESSAGE_PARSE_LIMITS, ...limits }),
    ).rejects.toMatchObject({
      problem: {
        code: 'refused',
        message: 'Linnet cannot read the original of this message. Save the message and open it in another app.',
      },
    })
  })

  it('includes attached messages only to a depth, since each needs its memory again', async () => {
    const inMessages = (depth: number): Uint8Array =>
      Buffer.from('Content-Type: message/rfc822\r\n\r\n'.repeat(depth) + head + file)
    const names = async (depth: number) =>
      (await parseInWorker(WORKER, 'original', inMessages(depth), never)).map((part) => part.filename)
    // The complete attached message, and the file in it.
    expect(await names(3)).toEqual([null, 'a.txt'])
    expect(await names(4)).toEqual([null, null])
  })

  it.each([
    ['that says nothing of how it is shown', '', [['a.txt', true]]],
    ['that is shown within', 'Content-Disposition: inline\r\n', [['a.txt', true]]],
    // Files inside an attached message aren't listed.
    ['that is attached', 'Content-Disposition: attachment\r\n', []],
  ])('returns a message %s whole, next to the files in it', async (_, disposition, within) => {
    const letter = `From: ola@inner.example\n\n${(head + file).replaceAll('\r\n', '\n').trimEnd()}`
    const words = `Content-Type: text/plain\r\n\r\nwords\r\n--o\r\nContent-Type: message/rfc822\r\n${disposition}\r\n`
    const whole = letter.replace('\n\nContent-Type', '\nContent-Type')
    const original = `Content-Type: multipart/mixed; boundary="o"\r\n\r\n--o\r\n${words}${whole.replaceAll('\n', '\r\n')}\r\n--o--\r\n`
    const parts = await parseInWorker(WORKER, 'original', Buffer.from(original), never)
    const [first] = parts
    expect(
      Buffer.from(first?.bytes ?? [])
        .toString()
        .replaceAll('\r\n', '\n')
        .trimEnd(),
    ).toBe(whole)
    const list = [{ filename: null, size: first?.bytes.byteLength ?? 0, contentType: 'message/rfc822' }]
    expect(findAttachmentPart(list, 0, parts)).toBe(first)
    expect(findAttachmentPart([{ filename: null, size: 1, contentType: 'message/rfc822' }], 0, parts)).toBeNull()
    expect(parts.slice(1).map(({ filename, isNested }) => [filename, isNested])).toEqual(within)
  })

  it('stops when aborted', async () => {
    const ending = new AbortController()
    const reading = parseInWorker(WORKER, 'original', ENDLESS, ending.signal)
    ending.abort(new Error('closed'))
    await expect(reading).rejects.toThrow('closed')
  })
})
