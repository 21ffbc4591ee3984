/**
 * Worker that parses an original, calendar or signed message. Malicious input may keep it busy forever, so the parent
 * terminates it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Email } from 'postal-mime'
import { hasNoParts, repairBoundary } from '../../mime/repair-boundary.ts'
import { MailParser } from '../../mime/mail-parser.ts'
import { type AttachmentPart, MAX_NESTED } from './attachment-parts.ts'
import { toAttachmentPart } from './part-of.ts'
import type { PartsTask, PartsWork } from './read-parts.ts'

/** Nested messages to parse: each contains all inner ones again. Deeper ones stay attachments. */
const MAX_MESSAGES = 3

// Keep the thread alive until terminated. A thread that exits on its own waits for V8's tasks, possibly forever, and
// blocks whoever terminates it (nodejs/node#54918: Electron's Node 20 to 22).
parentPort?.on('message', () => undefined)

const parse = (bytes: Uint8Array, letters: 'whole' | 'taken apart'): Promise<Email> =>
  new MailParser({
    maxNestingDepth: MAX_NESTED,
    maxRfc822NestingDepth: MAX_MESSAGES,
    forceRfc822Attachments: letters === 'whole',
  }).parse(bytes)

const readLetters = async (
  original: Uint8Array,
  letters: 'whole' | 'taken apart',
): Promise<readonly AttachmentPart[]> => {
  const email = await parse(original, letters)
  const divided = hasNoParts(email) ? repairBoundary(original) : null
  const { attachments } = divided === null ? email : await parse(divided, letters)
  return attachments.map(toAttachmentPart)
}

const signOf = ({ filename, contentId, bytes }: AttachmentPart): string =>
  JSON.stringify([filename, contentId, bytes.byteLength])

const readAll = async (original: Uint8Array): Promise<readonly AttachmentPart[]> => {
  const own = await readLetters(original, 'whole')
  if (own.every(({ contentType }) => contentType !== 'message/rfc822')) return own
  const left = own.map(signOf)
  const within = (await readLetters(original, 'taken apart')).filter((part) => {
    const at = left.indexOf(signOf(part))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  return [...own, ...within.map((part) => ({ ...part, isNested: true }))]
}

const WORK: { readonly [Name in keyof PartsWork]: (bytes: Uint8Array) => Promise<PartsWork[Name]> } = {
  original: readAll,
  calendar: async (bytes) => (await import('./read-calendar.ts')).readCalendar(bytes),
  signed: async (bytes) => (await import('./read-signed.ts')).readSigned(bytes),
}

const { work, bytes } = workerData as PartsTask
// Errors end the thread and reach the parent.
void WORK[work](bytes).then((result) => parentPort?.postMessage(result))
