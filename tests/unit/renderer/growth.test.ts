import { describe, expect, it } from 'vitest'
import { parseRoute } from '../../../src/renderer/kernel/route.ts'
import { formatContactName, formatPropertyLabel } from '../../../src/renderer/features/person/contact-name.ts'
import { toDrawnColor } from '../../../src/renderer/features/labels/label-color.ts'
import { folderName } from '../../../src/renderer/features/mailboxes/mailbox-names.ts'
import { isImageDataUrl, pickSrcsetCandidate } from '../../../src/renderer/features/bodies/block-images.ts'
import { limitShaping, estimateSignCost, estimateLetterCost } from '../../../src/shared/mail-text/limit-shaping.ts'
import { truncateHtml } from '../../../src/renderer/features/bodies/truncate-html.ts'
import { splitLinkTarget } from '../../../src/renderer/features/links/describe-link.ts'
import { buildFrameDocument } from '../../../src/renderer/features/bodies/frame-document.ts'
import { growBoxes } from '../../../src/renderer/features/bodies/grow-boxes.ts'
import { isForwardSubject } from '../../../src/shared/history/history-terms.ts'
import { htmlToText, htmlToWords } from '../../../src/shared/mail-text/html-to-text.ts'
import { findLinkWarnings } from '../../../src/renderer/features/links/link-warnings.ts'
import {
  findTextFolds,
  linkify,
  findPageHighlights,
  normalizeForPaging,
  parseTextPage,
} from '../../../src/renderer/features/bodies/parse-plain-text.ts'
import { parseLegacyColor } from '../../../src/shared/css/rgba-color.ts'
import { hasDarkStyles, repaintMarkup } from '../../../src/renderer/features/bodies/repaint-markup.ts'
import { extractFragment, toSafeLinkTarget } from '../../../src/renderer/features/links/safe-link.ts'
import { sanitizeCss } from '../../../src/renderer/features/bodies/sanitize-css.ts'
import { directionOf } from '../../../src/renderer/features/bodies/sanitize-html.ts'
import { isHeavyHtml } from '../../../src/shared/mail-text/heavy-html.ts'
import { describeSearchFault } from '../../../src/shared/search/describe-search-fault.ts'
import { parseTypedSearch } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import { describeLastEvent } from '../../../src/renderer/features/deliveries/describe-last-event.ts'
import { formatSubject } from '../../../src/renderer/features/threads/correspondent.ts'
import { toDisplayName, toInitials, parseAddress, summarizeAddresses } from '../../../src/shared/address.ts'
import { describeRecipients } from '../../../src/renderer/ui/describe-recipients.ts'
import { toVisibleText } from '../../../src/shared/visible-text.ts'
import { findExcesses } from '../../support/hostile-shapes.ts'

const readAllPages = (text: string): void => {
  const whole = normalizeForPaging(text)
  const folds = findTextFolds(whole)
  for (let at: number | null = 0; at !== null;) at = parseTextPage(whole, folds, at).next
}

const LINK = { words: ['bank.example'] }

/** Every pure renderer function that receives untrusted text, and a way to pass it. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isHeavyHtml,
  truncateHtml,
  htmlToText: (html) => htmlToText(html),
  'htmlToText for a search': (html) => htmlToWords(html),
  sanitizeCss,
  growBoxes,
  'growBoxes of a value': (text) => growBoxes(`overflow:hidden;height:${text}`),
  'repaintMarkup, of a style': (text) => repaintMarkup(`<p style="--a:${text}">`, 'dark'),
  parseLegacyColor,
  'hasDarkStyles of a sheet': (text) => hasDarkStyles(`<style>@media (prefers-color-scheme: dark) {${text}</style>`),
  pickSrcsetCandidate,
  limitShaping,
  signCost: (text) => estimateSignCost(text, Infinity),
  letterCost: (text) => estimateLetterCost(text, Infinity),
  'findTextFolds of a text': (text) => findTextFolds(normalizeForPaging(text)),
  'findTextFolds of the lines of a text': (text) => findTextFolds(normalizeForPaging(text.replaceAll(' ', '\n'))),
  'findTextFolds of a text in a quote': (text) =>
    findTextFolds(normalizeForPaging(`Yes.\n${text.replaceAll(' ', '\n> ')}`)),
  isForwardSubject,
  linkify: (text) => linkify(text, Infinity),
  'normalizeForPaging and readPage': readAllPages,
  toSafeLinkTarget,
  'toSafeLinkTarget of a web page': (text) => toSafeLinkTarget(`https://a.example/${text}`),
  'findLinkWarnings of words': (text) => findLinkWarnings({ ...LINK, words: [text] }, 'https://a.example/'),
  'findLinkWarnings of a target': (text) => findLinkWarnings(LINK, new URL(`https://a.example/${text}`).href),
  'findLinkWarnings of recipients': (text) => findLinkWarnings(LINK, new URL(`mailto:${text}`).href),
  showTarget: (text) => splitLinkTarget(new URL(`https://a.example/${text}`).href),
  fragmentOf: (text) => extractFragment(`#${text}`),
  isEmbeddedImage: (text) => isImageDataUrl(`data:image/${text}`),
  directionOf,
  parseAddress,
  'parseAccountRoute of a quoted name': (text) => parseAddress(`"${text}" <a@b.example>`),
  'parseAccountRoute of an address': (text) => parseAddress(`Ada <${text}>`),
  toDisplayName,
  toInitials,
  summaryPieces: (text) => summarizeAddresses(text.split(' ')),
  toVisibleText,
  formatSubject,
  'contactName, by name': (text) =>
    formatContactName({
      id: '',
      email: '',
      firstName: text,
      lastName: text,
      unsubscribed: false,
      properties: {},
    } as never),
  formatPropertyLabel,
  toDrawnColor,
  'parseTypedSearch and its words': (text) => {
    const read = parseTypedSearch('inbox', text, { labels: [] })
    if ('fault' in read) describeSearchFault(read.fault)
  },
  'parseRoute of an inbox': (text) => parseRoute(`#/inboxes/${text}`),
  'parseRoute of a search': (text) => parseRoute(`#/inboxes/a/search?query=${text}`),
  'findPageHighlights of a text': (text) =>
    findPageHighlights(parseTextPage(normalizeForPaging(text), findTextFolds('')), [{ words: ['a'], isOpen: false }]),
  frameDocument: (text) => buildFrameDocument(text, 'light', 14),
  recipientPieces: (text) => describeRecipients([text, text]),
  describeLastEvent,
  folderName,
}

describe('time to read untrusted text grows at most linearly', () => {
  it.each(Object.entries(READERS))('%s', async (_, read) => expect(await findExcesses(read)).toEqual([]), 240_000)
})
