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
  /** True if only the beginning of the text is here. */
  readonly isCut?: boolean
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

/** Larger mail is quoted in several tasks, so that the window keeps drawing frames. In characters. */
const MAX_AT_ONCE = 20_000

const createPause = (length: number) => async (): Promise<void> => {
  if (length > MAX_AT_ONCE) await new Promise((resolve) => setTimeout(resolve))
}

/**
 * E-mail content as displayed, before it is reduced to outgoing HTML: uses the reader's sanitiser; drops hidden text,
 * trackers and remote images, and replaces images with alt text.
 */
const shownHtml = async (html: string): Promise<string> => {
  const pause = createPause(html.length)
  const { markup } = sanitizeHtml(html)
  await pause()
  const page = new DOMParser().parseFromString(markup, 'text/html')
  const root = page.body
  // Folded text is part of the e-mail; the reader's buttons are not.
  for (const fold of [...root.querySelectorAll('details.linnet-quote')]) {
    fold.querySelector(':scope > summary')?.remove()
    unwrap(fold)
  }
  for (const sheet of page.head.querySelectorAll('style')) root.prepend(sheet)
  removeHidden(root)
  await pause()
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
  return root.innerHTML
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
/** The last line of a quote that is cut. */
export const CUT_NOTES = {
  reply: '[The rest of this message is too large to quote.]',
  forward: '[The rest of this message is too large to quote. Its whole text is attached.]',
} as const

/** Quoted text for a reply or a forward. Contains nothing that the reader would not display. */
export const quoteEmail = async (kind: Exclude<DraftKind, 'new'>, email: QuotedEmail): Promise<Quote> => {
  const hasHtml = email.html !== null && email.html.trim() !== ''
  const html = hasHtml ? await shownHtml(email.html) : textToHtml(email.text ?? '')
  const pause = createPause(html.length)
  await pause()
  const note = CUT_NOTES[kind === 'forward' ? 'forward' : 'reply']
  const clean = toOutgoingHtml(email.isCut === true ? `${html}<p>${note}</p>` : html)
  await pause()
  const text = toOutgoingText(clean)
  if (kind === 'forward') {
    const lines = headerLines(email)
    const head = [BANNER, ...lines.map(([name, value]) => `${name}: ${value}`)]
    const headers = lines.map(([name, value]) => `<strong>${name}:</strong> ${escaped(value)}`)
    return {
      html: `${toOutgoingHtml(`<p>${[escaped(BANNER), ...headers].join('<br>')}</p>`)}${clean}`,
      text: `${head.join('\n')}\n\n${text}`.trim(),
    }
  }
  const line = `On ${formatDate(email.date)}, ${stripInvisible(email.from ?? '').slice(0, MAX_LINE_LENGTH) || 'someone'} wrote:`
  const [opening, closing] = toOutgoingHtml('<blockquote type="cite">|</blockquote>').split('|')
  return {
    html: `${toOutgoingHtml(`<p>${escaped(line)}</p>`)}${opening}${clean}${closing}`,
    text: `${line}\n${quotedText(text)}`,
  }
}
