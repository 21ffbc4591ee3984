import { escapeHtml } from '../../../shared/escape-html.ts'
import type { DraftKind } from '../../../shared/drafts.ts'
import { moveChildren } from '../../ui/child-nodes.ts'
import { sanitizeHtml } from '../bodies/sanitize-html.ts'
import { toOutgoingHtml } from './outgoing-html.ts'
import { toOutgoingText, textToHtml } from './outgoing-text.ts'
import { toVisibleContent, type ContentIdOf } from './visible-content.ts'

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

/** E-mail content as displayed, before it is reduced to outgoing HTML. */
const shownHtml = async (html: string, contentIdOf: ContentIdOf): Promise<string> => {
  const pause = createPause(html.length)
  const safe = sanitizeHtml(html)
  await pause()
  const root = toVisibleContent(safe, true, contentIdOf)
  await pause()
  // A table with a single cell is page layout and adds a level of nesting to every reply.
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    const isLayout = table.querySelectorAll('td, th').length <= 1
    if (!isLayout) continue
    const division = document.createElement('div')
    for (const cell of table.querySelectorAll('caption, td, th')) {
      const line = document.createElement('div')
      moveChildren(cell, line)
      division.append(line)
    }
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

/**
 * Quoted text for a reply or a forward.
 * @param contentIdOf called for each picture that the e-mail itself contains
 */
export const quoteEmail = async (
  kind: Exclude<DraftKind, 'new'>,
  email: QuotedEmail,
  contentIdOf: ContentIdOf = () => null,
): Promise<Quote> => {
  const contentIds = new Set<string>()
  const named: ContentIdOf = (address) => {
    const contentId = contentIdOf(address)
    if (contentId !== null) contentIds.add(contentId)
    return contentId
  }
  const hasHtml = email.html !== null && email.html.trim() !== ''
  const html = hasHtml ? await shownHtml(email.html, named) : textToHtml(email.text ?? '')
  const pause = createPause(html.length)
  await pause()
  const note = CUT_NOTES[kind === 'forward' ? 'forward' : 'reply']
  const whole = email.isCut === true ? `${html}<p>${note}</p>` : html
  const clean = toOutgoingHtml(whole, (contentId) => contentIds.has(contentId))
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
