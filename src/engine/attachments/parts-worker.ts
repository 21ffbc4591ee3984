/**
 * The thread in which the original of one e-mail is taken apart. A stranger may have written it to take for ever: what
 * started this thread ends it then, and answers other questions meanwhile.
 */
import { parentPort, workerData } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import type { AttachmentPart } from './attachment-parts.ts'

/** Parts in parts: more than any program makes. */
const MOST_NESTED = 200
/** Messages in messages that are taken apart: each holds all of those in it once more. Deeper ones are attachments. */
const MOST_MESSAGES = 3

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

// It stays until it is ended: a thread that comes to its end by itself waits for V8's own tasks, and may wait for ever, and
// whatever ends it with it (nodejs/node#54918: Electron's Node 20 to 22).
parentPort?.on('message', () => undefined)

const original = workerData as Uint8Array

const read = async (letters: 'whole' | 'taken apart'): Promise<readonly Omit<AttachmentPart, 'isWithin'>[]> => {
  const { attachments } = await PostalMime.parse(original, {
    maxNestingDepth: MOST_NESTED,
    maxRfc822NestingDepth: MOST_MESSAGES,
    forceRfc822Attachments: letters === 'whole',
  })
  return attachments.map(({ filename, contentId, mimeType, content }) => ({
    filename,
    contentId: contentId ?? null,
    contentType: mimeType.toLowerCase(),
    bytes: bytesOf(content),
  }))
}

const signOf = ({ filename, contentId, bytes }: Omit<AttachmentPart, 'isWithin'>): string =>
  JSON.stringify([filename, contentId, bytes.byteLength])

const readAll = async (): Promise<readonly AttachmentPart[]> => {
  const own = (await read('whole')).map((part) => ({ ...part, isWithin: false }))
  if (own.every(({ contentType }) => contentType !== 'message/rfc822')) return own
  const left = own.map(signOf)
  const within = (await read('taken apart')).filter((part) => {
    const at = left.indexOf(signOf(part))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  return [...own, ...within.map((part) => ({ ...part, isWithin: true }))]
}

// What is thrown ends the thread, and is told to whoever started it.
void readAll().then((parts) => parentPort?.postMessage(parts))
