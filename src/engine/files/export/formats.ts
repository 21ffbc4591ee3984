import { crc32, deflateRawSync } from 'node:zlib'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import type { ExportFormat } from '../../../shared/export.ts'
import { serializeMboxMessage } from './mboxrd.ts'
import type { ExportableMessage } from './read-message.ts'
import { rebuildMessage } from './rebuild-message.ts'
import { encodeCentralDirectory, encodeLocalHeader, type ZipEntry } from './zip.ts'

interface Format {
  readonly wants: 'original' | 'parts'
  /** Turns messages, oldest first, into the pieces of a file. */
  readonly write: (messages: AsyncIterable<ExportableMessage>) => AsyncGenerator<Uint8Array>
}

const bytesOf = ({ content }: ExportableMessage): Promise<Uint8Array> | Uint8Array =>
  content.kind === 'original' ? content.bytes : rebuildMessage(content.email)

/** Folder, labels and unread state as in Google's export. */
const labelsOf = ({ folder, labels, isRead }: ExportableMessage['place']): readonly string[] => {
  const name = folder === null ? [] : [folder.charAt(0).toUpperCase() + folder.slice(1)]
  return [...name, ...labels, ...(isRead === false ? ['Unread'] : [])]
}

const writeMbox = async function* (messages: AsyncIterable<ExportableMessage>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    const { from, at, place } = message
    const envelope = { from, at, isRead: place.isRead, labels: labelsOf(place) }
    yield serializeMboxMessage(await bytesOf(message), envelope)
  }
}

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

const writeZip = async function* (messages: AsyncIterable<ExportableMessage>): AsyncGenerator<Uint8Array> {
  const files: ZipEntry[] = []
  let offset = 0
  for await (const message of messages) {
    const bytes = await bytesOf(message)
    const packed = deflateRawSync(bytes)
    const isSmaller = packed.byteLength < bytes.byteLength
    const content = isSmaller ? packed : bytes
    const file: ZipEntry = {
      name: nameInArchive(message, files.length + 1),
      ...{ crc: crc32(bytes), bytes: bytes.byteLength, packedBytes: content.byteLength, method: isSmaller ? 8 : 0 },
      ...{ offset, at: message.at },
    }
    const header = encodeLocalHeader(file)
    yield header
    yield content
    files.push(file)
    offset += header.byteLength + content.byteLength
  }
  yield* encodeCentralDirectory(files, offset)
}

/** Schema version in docs/export.md. */
const VERSION = 1

/** Lines of JSON (schema in docs/export.md). */
const writeJsonLines = async function* (messages: AsyncIterable<ExportableMessage>): AsyncGenerator<Uint8Array> {
  for await (const { content, place } of messages) {
    if (content.kind === 'original') throw new Error('A JSON line needs the message’s parts, not its original.')
    const { email } = content
    const fields = JSON.stringify({
      version: VERSION,
      id: email.id,
      list: email.list,
      inbox: place.inbox,
      thread_id: place.threadId,
      folder: place.folder,
      labels: place.labels,
      read: place.isRead,
      on_platform: place.onServer,
      direction: email.direction,
      date: new Date(email.at).toISOString(),
      from: email.from,
      to: email.to,
      cc: email.cc,
      bcc: email.bcc,
      reply_to: email.replyTo,
      subject: email.subject,
      message_id: email.messageId,
      incomplete: email.isIncomplete,
      text: email.text,
      html: email.html,
    })
    yield Buffer.from(`${fields.slice(0, -1)},"attachments":[`)
    // One piece per attachment, because a string can't hold them all.
    for (const [index, { filename, contentType, contentId, size, bytes }] of email.attachments.entries()) {
      const attachment = JSON.stringify({
        filename,
        content_type: contentType,
        content_id: contentId,
        size: bytes?.byteLength ?? size,
        content: bytes === null ? null : Buffer.from(bytes).toString('base64'),
      })
      yield Buffer.from(`${index === 0 ? '' : ','}${attachment}`)
    }
    yield Buffer.from(']}\n')
  }
}

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  mbox: { wants: 'original', write: writeMbox },
  zip: { wants: 'original', write: writeZip },
  jsonl: { wants: 'parts', write: writeJsonLines },
}
