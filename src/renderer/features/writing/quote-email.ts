import { escapeHtml } from '../../../shared/escape-html.ts'
import type { DraftKind } from '../../../shared/drafts.ts'
import { moveChildren, unwrap } from '../../ui/child-nodes.ts'
import { sanitizeHtml } from '../bodies/sanitize-html.ts'
import { toOutgoingHtml } from './outgoing-html.ts'
import { toOutgoingText, textToHtml } from './outgoing-text.ts'
import { removeHidden } from './hidden-content.ts'

export interface QuotedEmail {
  readonly html: string | null
  readonly text: string | null
  /** Raw headers: `Ada Lovelace <ada@example.com>`. */
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string | null
  /** Milliseconds since the epoch. */
  readonly date: number
}

export interface Quote {
  readonly html: string
  readonly text: string
}

const escaped = (text: string): string => escapeHtml(text.replace(/\s+/g, ' ').trim())

/** Formats a date so that it reads the same in every country: day and month can't be confused. */
const formatDate = (date: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(date)

/** Strips invisible characters, which could reorder the surrounding text. */
const stripInvisible = (header: string): string =>
  header
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * E-mail content as displayed, for sending: uses the reader's sanitiser; drops hidden text, trackers and remote images,
 * and replaces images with alt text.
 */
const shownHtml = (html: string): string => {
  const page = new DOMParser().parseFromString(sanitizeHtml(html).markup, 'text/html')
  const root = page.body
  // Folded text is part of the e-mail; the reader's buttons are not.
  for (const fold of [...root.querySelectorAll('details.linnet-quote')]) {
    fold.querySelector(':scope > summary')?.remove()
    unwrap(fold)
  }
  for (const sheet of page.head.querySelectorAll('style')) root.prepend(sheet)
  removeHidden(root)
  // The reader shows alt text where an image would be; the hidden placeholder is not content.
  for (const picture of root.querySelectorAll('img[data-linnet-picture]')) picture.remove()
  for (const place of [...root.querySelectorAll('.linnet-image')]) {
    const words = place.textContent.trim()
    place.replaceWith(words === '' ? '' : `[${words}]`)
  }
  // A table with a single cell is page layout and adds a level of nesting to every reply.
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    const isLayout = table.querySelectorAll('td, th').length <= 1
    if (!isLayout) continue
    const division = page.createElement('div')
    for (const cell of table.querySelectorAll('td, th')) moveChildren(cell, division)
    table.replaceWith(division)
  }
  return toOutgoingHtml(root.innerHTML)
}

const quotedText = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')

/** Maximum characters of an address line. */
const MAX_LINE_LENGTH = 2_000

const headerLines = ({ from, to, cc, subject, date }: QuotedEmail): readonly (readonly [string, string])[] =>
  (
    [
      ['From', from ?? ''],
      ['Date', formatDate(date)],
      ['Subject', subject ?? ''],
      ['To', to.join(', ')],
      ['Cc', cc.join(', ')],
    ] as const
  )
    .map(([name, value]) => [name, stripInvisible(value).slice(0, MAX_LINE_LENGTH)] as const)
    .filter(([, value]) => value !== '')

const BANNER = '---------- Forwarded message ----------'

/** Quoted text for a reply or a forward. Contains nothing that the reader would not display. */
export const quoteEmail = (kind: Exclude<DraftKind, 'new'>, email: QuotedEmail): Quote => {
  const html = email.html === null || email.html.trim() === '' ? textToHtml(email.text ?? '') : shownHtml(email.html)
  const clean = toOutgoingHtml(html)
  const text = toOutgoingText(clean)
  if (kind === 'forward') {
    const lines = headerLines(email)
    const head = [BANNER, ...lines.map(([name, value]) => `${name}: ${value}`)]
    return {
      html: toOutgoingHtml(
        `<p>${[escaped(BANNER), ...lines.map(([name, value]) => `<strong>${name}:</strong> ${escaped(value)}`)].join('<br>')}</p>${clean}`,
      ),
      text: `${head.join('\n')}\n\n${text}`.trim(),
    }
  }
  const line = `On ${formatDate(email.date)}, ${stripInvisible(email.from ?? '').slice(0, MAX_LINE_LENGTH) || 'someone'} wrote:`
  return {
    html: toOutgoingHtml(`<p>${escaped(line)}</p><blockquote type="cite">${clean}</blockquote>`),
    text: `${line}\n${quotedText(text)}`,
  }
}
