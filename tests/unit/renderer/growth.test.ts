import { describe, expect, it } from 'vitest'
import { parseRoute } from '../../../src/renderer/kernel/route.ts'
import { contactName, propertyLabel } from '../../../src/renderer/features/person/contact-name.ts'
import { labelColor } from '../../../src/renderer/features/labels/label-color.ts'
import { folderName } from '../../../src/renderer/features/mailboxes/folder-name.ts'
import { bestCandidate } from '../../../src/renderer/features/bodies/block-images.ts'
import { limitShaping, signCost, letterCost } from '../../../src/renderer/features/bodies/limit-shaping.ts'
import { truncateHtml } from '../../../src/renderer/features/bodies/truncate-html.ts'
import { showTarget } from '../../../src/renderer/features/links/describe-link.ts'
import { isEmbeddedImage } from '../../../src/renderer/features/bodies/embedded-image.ts'
import { frameDocument } from '../../../src/renderer/features/bodies/frame-document.ts'
import { isForwardSubject } from '../../../src/shared/history/history-terms.ts'
import { htmlToText } from '../../../src/renderer/features/bodies/html-to-text.ts'
import { linkWarnings } from '../../../src/renderer/features/links/link-warnings.ts'
import {
  findTextFolds,
  linkify,
  markPage,
  normaliseForPaging,
  readPage,
} from '../../../src/renderer/features/bodies/parse-plain-text.ts'
import { legacyColor } from '../../../src/shared/css/screen-color.ts'
import { hasDarkStyles, repaintMarkup } from '../../../src/renderer/features/bodies/repaint-markup.ts'
import { fragmentOf, safeLinkTarget } from '../../../src/renderer/features/links/safe-link.ts'
import { sanitiseCss } from '../../../src/renderer/features/bodies/sanitise-css.ts'
import { directionOf, hasLetter } from '../../../src/renderer/features/bodies/text-direction.ts'
import { isHeavyHtml } from '../../../src/renderer/features/bodies/heavy-html.ts'
import { describeSearchFault } from '../../../src/shared/search/describe-search-fault.ts'
import { readSearch } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import { describeLastEvent } from '../../../src/renderer/features/deliveries/describe-last-event.ts'
import { subjectOf } from '../../../src/renderer/features/threads/correspondent.ts'
import { displayName, initials, parseAddress, summaryPieces } from '../../../src/shared/address.ts'
import { recipientPieces } from '../../../src/renderer/ui/describe-recipients.ts'
import { visibleText } from '../../../src/shared/visible-text.ts'
import { findExcesses } from '../../support/hostile-shapes.ts'

const readAllPages = (text: string): void => {
  const whole = normaliseForPaging(text)
  const folds = findTextFolds(whole)
  for (let at: number | null = 0; at !== null;) at = readPage(whole, folds, at).next
}

const LINK = { words: ['bank.example'], beside: [], isWordless: false, isCovering: false }

/** Every pure renderer function that receives untrusted text, and a way to pass it. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  isHeavyHtml,
  truncateHtml,
  htmlToText,
  sanitiseCss,
  'repaintMarkup, of a style': (text) => repaintMarkup(`<p style="--a:${text}">`, 'dark'),
  legacyColor,
  'hasDarkStyles of a sheet': (text) => hasDarkStyles(`<style>@media (prefers-color-scheme: dark) {${text}</style>`),
  bestCandidate,
  limitShaping,
  signCost: (text) => signCost(text, Infinity),
  letterCost: (text) => letterCost(text, Infinity),
  'findTextFolds of a text': (text) => findTextFolds(normaliseForPaging(text)),
  'findTextFolds of the lines of a text': (text) => findTextFolds(normaliseForPaging(text.replaceAll(' ', '\n'))),
  'findTextFolds of a text in a quote': (text) =>
    findTextFolds(normaliseForPaging(`Yes.\n${text.replaceAll(' ', '\n> ')}`)),
  isForwardSubject,
  linkify: (text) => linkify(text, Infinity),
  'normaliseForPaging and readPage': readAllPages,
  safeLinkTarget,
  'safeLinkTarget of a web page': (text) => safeLinkTarget(`https://a.example/${text}`),
  'linkWarnings of words': (text) => linkWarnings({ ...LINK, words: [text] }, 'https://a.example/'),
  'linkWarnings of a target': (text) => linkWarnings(LINK, new URL(`https://a.example/${text}`).href),
  'linkWarnings of recipients': (text) => linkWarnings(LINK, new URL(`mailto:${text}`).href),
  showTarget: (text) => showTarget(new URL(`https://a.example/${text}`).href),
  fragmentOf: (text) => fragmentOf(`#${text}`),
  isEmbeddedImage: (text) => isEmbeddedImage(`data:image/${text}`),
  directionOf,
  hasLetter,
  parseAddress,
  'parseAddress of a quoted name': (text) => parseAddress(`"${text}" <a@b.example>`),
  'parseAddress of an address': (text) => parseAddress(`Ada <${text}>`),
  displayName,
  initials,
  summaryPieces: (text) => summaryPieces(text.split(' ')),
  visibleText,
  subjectOf,
  'contactName, by name': (text) =>
    contactName({ id: '', email: '', firstName: text, lastName: text, unsubscribed: false, properties: {} } as never),
  propertyLabel,
  labelColor,
  'readSearch and its words': (text) => {
    const read = readSearch('inbox', text, { labels: [] })
    if ('fault' in read) describeSearchFault(read.fault)
  },
  'parseRoute of an inbox': (text) => parseRoute(`#/inboxes/${text}`),
  'parseRoute of a search': (text) => parseRoute(`#/inboxes/a/search?query=${text}`),
  'markPage of a text': (text) =>
    markPage(readPage(normaliseForPaging(text), findTextFolds('')), [{ words: ['a'], isOpen: false }]),
  frameDocument: (text) => frameDocument(text, 'light', 14),
  recipientPieces: (text) => recipientPieces([text, text]),
  describeLastEvent,
  folderName,
}

describe('time to read untrusted text grows at most linearly', () => {
  it.each(Object.entries(READERS))('%s', async (_, read) => expect(await findExcesses(read)).toEqual([]), 240_000)
})
