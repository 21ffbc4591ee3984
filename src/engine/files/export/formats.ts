import { crc32, deflateRawSync } from 'node:zlib'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import type { ExportFormat } from '../../../shared/export.ts'
import { serializeMboxMessage } from './mboxrd.ts'
import type { ExportedEmail } from './read-message.ts'
import { rebuildMessage } from './rebuild-message.ts'
import { encodeCentralDirectory, encodeLocalHeader, type ZipEntry } from './zip.ts'

interface Format {
  readonly wants: 'original' | 'parts'
  /** Turns messages, oldest first, into the pieces of a file. */
  readonly write: (messages: AsyncIterable<ExportedEmail>) => AsyncGenerator<Uint8Array>
}

const bytesOf = (email: ExportedEmail): Promise<Uint8Array> | Uint8Array => email.original ?? rebuildMessage(email)

/** Folder, labels and unread state as in Google's export. */
const labelsOf = ({ folder, labels, isRead }: ExportedEmail): readonly string[] => {
  const name = folder === null ? [] : [folder.charAt(0).toUpperCase() + folder.slice(1)]
  return [...name, ...labels, ...(isRead === false ? ['Unread'] : [])]
}

const writeMbox = async function* (messages: AsyncIterable<ExportedEmail>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    yield serializeMboxMessage(await bytesOf(message), { ...message, labels: labelsOf(message) })
  }
}

/** Digits of the number in archive filenames. */
const DIGITS = 6

/** Archive path with number, day and subject. @param number from 1 */
const nameInArchive = ({ at, subject, folder, inbox }: ExportedEmail, number: number): string => {
  const day = Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : ''
  const words = toSafeFilename(subject ?? '') || 'no subject'
  const place = inbox === null ? [] : [toSafeFilename(inbox.address) || 'inbox']
  return [
    ...place,
    toSafeFilename(folder ?? '') || 'received',
    `${String(number).padStart(DIGITS, '0')} ${day} ${words}.eml`,
  ].join('/')
}

const writeZip = async function* (messages: AsyncIterable<ExportedEmail>): AsyncGenerator<Uint8Array> {
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
const writeJsonLines = async function* (messages: AsyncIterable<ExportedEmail>): AsyncGenerator<Uint8Array> {
  for await (const email of messages) {
    const fields = JSON.stringify({
      version: VERSION,
      id: email.id,
      list: email.list,
      inbox: email.inbox,
      thread_id: email.threadId,
      folder: email.folder,
      labels: email.labels,
      read: email.isRead,
      on_platform: email.onServer,
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
