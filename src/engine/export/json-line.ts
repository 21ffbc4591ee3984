import type { ExportedEmail, ExportedPlace } from './exported-email.ts'
import { slicesOf } from './slices.ts'

/** The version of the schema in docs/export.md. */
const VERSION = 1
/** Characters of a text that are written at once. */
const CHARACTERS = 128 * 1024
/** Bytes that base64 writes without a rest: a multiple of three. */
const WITHOUT_REST = 3

const pair = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`

/** A string of JSON, piece by piece. Where a cut parts a sign in two, JSON has both halves as escapes, which join again. */
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
  for (const slice of slicesOf(bytes)) {
    const all = Buffer.concat([rest, slice])
    const end = all.byteLength - (all.byteLength % WITHOUT_REST)
    yield all.toString('base64', 0, end)
    rest = all.subarray(end)
  }
  yield `${rest.toString('base64')}"`
}

const writeLine = function* (email: ExportedEmail, place: ExportedPlace): Generator<string> {
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

/** An e-mail as a line of JSON (docs/export.md has its schema), piece by piece. */
export const writeJsonLine = function* (email: ExportedEmail, place: ExportedPlace): Generator<Uint8Array> {
  for (const text of writeLine(email, place)) yield Buffer.from(text)
}
