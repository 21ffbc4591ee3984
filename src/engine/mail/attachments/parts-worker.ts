/**
 * Worker that parses an original, calendar or signed message. Malicious input may keep it busy forever, so the parent
 * terminates it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Email } from 'postal-mime'
import { hasNoParts, repairBoundary } from 'linnet-mime/repair-boundary'
import { MailParser } from 'linnet-mime/mail-parser'
import { type AttachmentPart, MAX_PART_DEPTH } from '../../sync/attachment-parts.ts'
import { toAttachmentPart } from './parse-signed-message.ts'
import type { MessageParseTask, MessageParseResults } from './parse-in-worker.ts'

/** Nested messages to parse: each contains all inner ones again. Deeper ones stay attachments. */
const MAX_MESSAGES = 3

// Keep the thread alive until terminated. A thread that exits on its own waits for V8's tasks, possibly forever, and
// blocks whoever terminates it (nodejs/node#54918: Electron's Node 20 to 22).
parentPort?.on('message', () => undefined)

const parse = (bytes: Uint8Array, letters: 'whole' | 'taken apart'): Promise<Email> =>
  new MailParser({
    maxNestingDepth: MAX_PART_DEPTH,
    maxRfc822NestingDepth: MAX_MESSAGES,
    forceRfc822Attachments: letters === 'whole',
  }).parse(bytes)

const parseParts = async (
  original: Uint8Array,
  letters: 'whole' | 'taken apart',
): Promise<readonly AttachmentPart[]> => {
  const email = await parse(original, letters)
  const divided = hasNoParts(email) ? repairBoundary(original) : null
  const { attachments } = divided === null ? email : await parse(divided, letters)
  return attachments.map(toAttachmentPart)
}

const identityOf = ({ filename, contentId, bytes }: AttachmentPart): string =>
  JSON.stringify([filename, contentId, bytes.byteLength])

const parseAllParts = async (original: Uint8Array): Promise<readonly AttachmentPart[]> => {
  const own = await parseParts(original, 'whole')
  if (own.every(({ contentType }) => contentType !== 'message/rfc822')) return own
  const left = own.map(identityOf)
  const within = (await parseParts(original, 'taken apart')).filter((part) => {
    const at = left.indexOf(identityOf(part))
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  return [...own, ...within.map((part) => ({ ...part, isNested: true }))]
}

const WORK: {
  readonly [Name in keyof MessageParseResults]: (bytes: Uint8Array) => Promise<MessageParseResults[Name]>
} = {
  original: parseAllParts,
  calendar: async (bytes) => (await import('./parse-invitation.ts')).parseInvitation(bytes),
  signed: async (bytes) => (await import('./parse-signed-message.ts')).parseSignedMessage(bytes),
}

const { work, bytes } = workerData as MessageParseTask
// Errors end the thread and reach the parent.
void WORK[work](bytes).then((result) => parentPort?.postMessage(result))
