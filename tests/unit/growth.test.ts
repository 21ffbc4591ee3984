import { describe, expect, it } from 'vitest'
import { parseBaseUrl } from '../../src/engine/platform/base-url.ts'
import { parseTruncatedJson } from '../../src/engine/platform/parse-json.ts'
import { classifyFetchTarget, isPublicAddress } from '../../src/engine/platform/fetchable-address.ts'
import { apiPath } from '../../src/engine/platform/api-path.ts'
import { toRefusal } from '../../src/engine/platform/platform-problem.ts'
import { parsePlatformTime } from '../../src/engine/platform/parse-response.ts'
import { parseRetryAfter } from '../../src/engine/platform/http-client.ts'
import { parseShareLink } from '../../src/engine/platform/resources/share-links.ts'
import { emailParser } from '../../src/engine/platform/resources/thread-emails.ts'
import { createKeyRedactor } from '../../src/engine/platform/key-redaction.ts'
import { rawFilename } from '../../src/engine/sync/raw-messages.ts'
import { parseHeaders } from '../../src/engine/sync/parse-headers.ts'
import { findChunkOffsets, toVisibleSource } from '../../src/engine/sync/visible-source.ts'
import { parseChecksummedEmail, addChecksum } from '../../src/engine/store/checksummed-payload.ts'
import { extractSnippet } from '../../src/engine/store/snippet.ts'
import { redact } from '../../src/host/redact.ts'
import { isAllowedRequest } from '../../src/main/lock-down.ts'
import { toExternalUrl, isWindowUrl } from '../../src/main/window-origin.ts'
import { isWithinBounds } from '../../src/shared/input-bounds.ts'
import { findExcesses, orProblem } from '../support/hostile-shapes.ts'

const withoutKey = createKeyRedactor('re_123456789_abcdefghijklmnop+/')
const own = new URL('https://api.example')

/** An e-mail with the text in every field that can hold text. */
const emailOf = (whole: string) => {
  const text = whole.slice(0, whole.length / 8)
  return {
    ...{ id: 'a', from: text, to: [text], subject: text, message_id: text, html: text, text, received_at: text },
    attachments: [{ id: 'b', filename: text, content_type: 'text/plain' }],
  }
}

/** Every pure function of the engine and the hosts that handles untrusted text, and how the text reaches it. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'extractSnippet a text': (text) => extractSnippet({ text, html: null }),
  'extractSnippet HTML': (html) => extractSnippet({ text: null, html }),
  rawFilename,
  readHeaders: (text) => parseHeaders(Buffer.from(text)),
  'parseHeaders of a header': (text) => parseHeaders(Buffer.from(`Subject: ${text}`)),
  'parseHeaders of encoded words': (text) => parseHeaders(Buffer.from(`Subject: =?utf-8?q?${text}`)),
  'parseHeaders of carriage returns': (text) =>
    parseHeaders(Buffer.from(text.replaceAll(' ', '\r').replaceAll('\n', ''))),
  visibleSource: (text) => toVisibleSource(Buffer.from(text), 0, text.length, '\n'),
  'toVisibleSource of what is no text': (text) => toVisibleSource(Buffer.from(text, 'utf16le'), 0, text.length, '\n'),
  piecesOf: (text) => findChunkOffsets(Buffer.from(text)),
  parseBaseUrl: (text) => orProblem(() => parseBaseUrl(text)),
  'parseBaseUrl of a path': (text) => orProblem(() => parseBaseUrl(`https://a.example/${text}`)),
  parsePlatformTime,
  parseRetryAfter: (text) => parseRetryAfter(text, 0),
  parseTruncatedJson,
  'parseTruncatedJson of a text': (text) =>
    parseTruncatedJson(`{"data":[{"id":"a","html":${JSON.stringify(text)},"text":"cut`),
  isPublicAddress,
  'isPublicAddress of numbers': (text) => isPublicAddress(`1.2.3.${text}`),
  'isPublicAddress in brackets': (text) => isPublicAddress(`[fe80::${text}]`),
  howToFetch: (text) => orProblem(() => classifyFetchTarget(new URL(`https://a.example/${text}`), own)),
  path: (text) => orProblem(() => apiPath`/threads/${text}`),
  toRefusal: (text) => toRefusal(422, { name: text, message: text }, { clean: withoutKey }),
  createKeyRedactor: withoutKey,
  readEmails: (text) => emailParser.page({ data: [emailOf(text)] }, 1),
  readStoredEmail: (text) => emailParser.stored(JSON.stringify(emailOf(text)), 'a'),
  'emailParser.stored of a damaged one': (text) => emailParser.stored(text, 'a'),
  readCheckedEmail: (text) => parseChecksummedEmail(addChecksum(emailParser.one(emailOf(text))), 'a'),
  readShareLink: (text) => orProblem(() => parseShareLink({ id: 'a', url: `https://a.example/${text}` })),
  toExternalUrl,
  'toExternalUrl of a web page': (text) => toExternalUrl(`https://a.example/${text}`),
  'toExternalUrl of an e-mail': (text) => toExternalUrl(`mailto:a@b.example?subject=${text}`),
  'toExternalUrl of the fields of an e-mail': (text) => toExternalUrl(`mailto:?${text.replaceAll(' ', '&to=')}`),
  isWindowUrl: (text) => isWindowUrl(`linnet://app/${text}`),
  isAllowedRequest: (text) => isAllowedRequest(`linnet:${text}`),
  redact,
  isWithinBounds: (text) => isWithinBounds({ text, words: text.slice(0, 20_000).split(' ') }),
}

describe('linear reading time of untrusted text', () => {
  it.each(Object.entries(READERS))('%s', async (_, read) => expect(await findExcesses(read)).toEqual([]), 240_000)
})
