import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { safeFilename } from '../../shared/safe-filename.ts'
import type { ExportFormat } from '../../shared/export.ts'
import type { ExportedPlace } from './exported-email.ts'
import { writeJsonLine } from './json-line.ts'
import { writeMboxMessage } from './mboxrd.ts'
import type { PartFile } from './part-file.ts'
import type { ReadMessage } from './read-message.ts'
import { rebuildMessage } from './rebuild-message.ts'
import { slicesOf } from './slices.ts'
import { writeDirectory, writeLocalHeader, type ZippedFile } from './zip.ts'

const deflate = promisify(deflateRaw)

/** Digits of the number that begins the name of a file in the archive. */
const DIGITS = 6

/** A file in the archive: in order, with its day and its subject. @param number from 1 on */
const nameInArchive = ({ at, subject, place }: ReadMessage, number: number): string => {
  const day = Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : ''
  const words = safeFilename(subject ?? '') || 'no subject'
  const folder = safeFilename(place.folder ?? '') || 'received'
  const inbox = place.inbox === null ? [] : [safeFilename(place.inbox.address) || 'inbox']
  return [...inbox, folder, `${String(number).padStart(DIGITS, '0')} ${day} ${words}.eml`].join('/')
}

/** The folder and labels, and whether it was read, in the words of Google's export. */
const labelsOf = ({ folder, labels, isRead }: ExportedPlace): readonly string[] => {
  const name = folder === null ? [] : [folder.charAt(0).toUpperCase() + folder.slice(1)]
  return [...name, ...labels, ...(isRead === false ? ['Unread'] : [])]
}

const crcOf = async (bytes: Uint8Array, breathe: () => Promise<void>): Promise<number> => {
  let crc = 0
  for (const slice of slicesOf(bytes)) {
    crc = crc32(slice, crc)
    await breathe()
  }
  return crc
}

/** How messages are written in a format. */
export interface MessageWriter {
  /** What of a message it is made of, where there is a choice. */
  readonly wants: 'original' | 'parts'
  /** @param number of the message, from 1 on */
  readonly write: (message: ReadMessage, number: number) => Promise<void>
  /** What stands behind the last message. */
  readonly end: () => Promise<void>
}

export const createMessageWriter = (
  format: ExportFormat,
  file: PartFile,
  breathe: () => Promise<void>,
): MessageWriter => {
  const addAll = async (pieces: Iterable<Uint8Array>): Promise<void> => {
    for (const piece of pieces) {
      await file.add(piece)
      await breathe()
    }
  }
  const bytesOf = ({ content }: ReadMessage): Promise<Uint8Array> | Uint8Array =>
    content.kind === 'original' ? content.bytes : rebuildMessage(content.email)

  if (format === 'jsonl') {
    return {
      wants: 'parts',
      write: async ({ content, place }) => {
        if (content.kind === 'original') throw new Error('A line of JSON is written of parts.')
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
        await addAll(writeMboxMessage(await bytesOf(message), envelope))
      },
      end: () => Promise.resolve(),
    }
  }
  const zippedFiles: ZippedFile[] = []
  return {
    wants: 'original',
    write: async (message, number) => {
      const bytes = await bytesOf(message)
      const crc = await crcOf(bytes, breathe)
      const packed = await deflate(bytes)
      const isSmaller = packed.byteLength < bytes.byteLength
      const content = isSmaller ? packed : bytes
      const zipped: ZippedFile = {
        name: nameInArchive(message, number),
        ...{ crc, bytes: bytes.byteLength, packedBytes: content.byteLength, method: isSmaller ? 8 : 0 },
        ...{ offset: file.length(), at: message.at },
      }
      await addAll([writeLocalHeader(zipped)])
      await addAll(slicesOf(content))
      zippedFiles.push(zipped)
    },
    end: () => addAll(writeDirectory(zippedFiles, file.length())),
  }
}
