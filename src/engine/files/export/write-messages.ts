import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import type { ExportFormat } from '../../../shared/export.ts'
import type { ExportedEmail, ExportedMailMetadata } from './exported-email.ts'
import { serializeMboxMessage } from './mboxrd.ts'
import type { PartFile } from './part-file.ts'
import type { ExportableMessage } from './read-message.ts'
import { rebuildMessage } from './rebuild-message.ts'
import { splitIntoSlices } from './slices.ts'
import { encodeCentralDirectory, encodeLocalHeader, type ZipEntry } from './zip.ts'

const deflate = promisify(deflateRaw)

/** Digits of the number in archive filenames. */
const DIGITS = 6

/** Archive path with number, day and subject. @param number from 1 */
const nameInArchive = ({ at, subject, place }: ExportableMessage, number: number): string => {
  const day = Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : ''
  const words = toSafeFilename(subject ?? '') || 'no subject'
  const folder = toSafeFilename(place.folder ?? '') || 'received'
  const inbox = place.inbox === null ? [] : [toSafeFilename(place.inbox.address) || 'inbox']
  return [...inbox, folder, `${String(number).padStart(DIGITS, '0')} ${day} ${words}.eml`].join('/')
}

/** Folder, labels and unread state as in Google's export. */
const labelsOf = ({ folder, labels, isRead }: ExportedMailMetadata): readonly string[] => {
  const name = folder === null ? [] : [folder.charAt(0).toUpperCase() + folder.slice(1)]
  return [...name, ...labels, ...(isRead === false ? ['Unread'] : [])]
}

const crcOf = async (bytes: Uint8Array, yieldTurn: () => Promise<void>): Promise<number> => {
  let crc = 0
  for (const slice of splitIntoSlices(bytes)) {
    crc = crc32(slice, crc)
    await yieldTurn()
  }
  return crc
}

export interface MessageWriter {
  readonly wants: 'original' | 'parts'
  /** @param number of the message, from 1 */
  readonly write: (message: ExportableMessage, number: number) => Promise<void>
  /** Writes the trailer. */
  readonly end: () => Promise<void>
}

/** Schema version in docs/export.md. */
const VERSION = 1
/** Characters written at once. */
const CHARACTERS = 128 * 1024
/** Base64 group size: a multiple of it needs no padding. */
const BASE64_GROUP_BYTES = 3

const pair = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`

/** A JSON string in chunks. A split surrogate pair becomes two escapes, which join again. */
const writeText = function* (text: string | null): Generator<string> {
  if (text === null) {
    yield 'null'
    return
  }
  yield '"'
  for (let at = 0; at < text.length; at += CHARACTERS) {
    yield JSON.stringify(text.slice(at, at + CHARACTERS)).slice(1, -1)
  }
  yield '"'
}

const writeBase64 = function* (bytes: Uint8Array | null): Generator<string> {
  if (bytes === null) {
    yield 'null'
    return
  }
  yield '"'
  let rest = Buffer.alloc(0)
  for (const slice of splitIntoSlices(bytes)) {
    const all = Buffer.concat([rest, slice])
    const end = all.byteLength - (all.byteLength % BASE64_GROUP_BYTES)
    yield all.toString('base64', 0, end)
    rest = all.subarray(end)
  }
  yield `${rest.toString('base64')}"`
}

const writeLine = function* (email: ExportedEmail, place: ExportedMailMetadata): Generator<string> {
  const { id, list, direction, from, to, cc, bcc, replyTo, subject, messageId, at } = email
  yield `{${[
    pair('version', VERSION),
    pair('id', id),
    pair('list', list),
    pair('inbox', place.inbox),
    pair('thread_id', place.threadId),
    pair('folder', place.folder),
    pair('labels', place.labels),
    pair('read', place.isRead),
    pair('on_platform', place.onServer),
    pair('direction', direction),
    pair('date', new Date(at).toISOString()),
    pair('from', from),
    pair('to', to),
    pair('cc', cc),
    pair('bcc', bcc),
    pair('reply_to', replyTo),
    pair('subject', subject),
    pair('message_id', messageId),
    pair('incomplete', email.isIncomplete),
  ].join(',')},"text":`
  yield* writeText(email.text)
  yield ',"html":'
  yield* writeText(email.html)
  yield ',"attachments":['
  for (const [index, attachment] of email.attachments.entries()) {
    const { filename, contentType, contentId, size, bytes } = attachment
    yield `${index === 0 ? '' : ','}{${[
      pair('filename', filename),
      pair('content_type', contentType),
      pair('content_id', contentId),
      pair('size', bytes?.byteLength ?? size),
    ].join(',')},"content":`
    yield* writeBase64(bytes)
    yield '}'
  }
  yield ']}\n'
}

/** An e-mail as a JSON line (schema in docs/export.md), in chunks. */
const writeJsonLine = function* (email: ExportedEmail, place: ExportedMailMetadata): Generator<Uint8Array> {
  for (const text of writeLine(email, place)) yield Buffer.from(text)
}

export const createMessageWriter = (
  format: ExportFormat,
  file: PartFile,
  yieldTurn: () => Promise<void>,
): MessageWriter => {
  const addAll = async (pieces: Iterable<Uint8Array>): Promise<void> => {
    for (const piece of pieces) {
      await file.add(piece)
      await yieldTurn()
    }
  }
  const bytesOf = ({ content }: ExportableMessage): Promise<Uint8Array> | Uint8Array =>
    content.kind === 'original' ? content.bytes : rebuildMessage(content.email)

  if (format === 'jsonl') {
    return {
      wants: 'parts',
      write: async ({ content, place }) => {
        if (content.kind === 'original') throw new Error('A JSON line needs the message’s parts, not its original.')
        await addAll(writeJsonLine(content.email, place))
      },
      end: () => Promise.resolve(),
    }
  }
  if (format === 'mbox') {
    return {
      wants: 'original',
      write: async (message) => {
        const { from, at, place } = message
        const envelope = { from, at, isRead: place.isRead, labels: labelsOf(place) }
        await addAll(serializeMboxMessage(await bytesOf(message), envelope))
      },
      end: () => Promise.resolve(),
    }
  }
  const zippedFiles: ZipEntry[] = []
  return {
    wants: 'original',
    write: async (message, number) => {
      const bytes = await bytesOf(message)
      const crc = await crcOf(bytes, yieldTurn)
      const packed = await deflate(bytes)
      const isSmaller = packed.byteLength < bytes.byteLength
      const content = isSmaller ? packed : bytes
      const zipped: ZipEntry = {
        name: nameInArchive(message, number),
        ...{ crc, bytes: bytes.byteLength, packedBytes: content.byteLength, method: isSmaller ? 8 : 0 },
        ...{ offset: file.length(), at: message.at },
      }
      await addAll([encodeLocalHeader(zipped)])
      await addAll(splitIntoSlices(content))
      zippedFiles.push(zipped)
    },
    end: () => addAll(encodeCentralDirectory(zippedFiles, file.length())),
  }
}
