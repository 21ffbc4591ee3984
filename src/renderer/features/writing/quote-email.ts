import type { WritingKind } from '../../../shared/writing.ts'
import { sanitiseHtml } from '../bodies/sanitise-html.ts'
import { outgoingHtml } from './outgoing-html.ts'
import { outgoingText, textToHtml } from './outgoing-text.ts'
import { removeUnseen } from './unseen.ts'

/** An e-mail that is answered or forwarded. */
export interface QuotedEmail {
  readonly html: string | null
  readonly text: string | null
  /** Headers as they came: `Ada Lovelace <ada@example.com>`. */
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string | null
  /** Milliseconds since the epoch. */
  readonly date: number
}

/** What was written before, as it is sent below the person's words. */
export interface Quote {
  readonly html: string
  readonly text: string
}

const escaped = (text: string): string => textToHtml(text.replace(/\s+/g, ' ').trim()).replace(/^<p>|<\/p>$/g, '')

/** Day and time in words that are the same in every country: no number can be taken for another. */
const dateWords = (date: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(date)

/** A name without the signs that nobody sees, which could turn the words around it. */
const shown = (header: string): string =>
  header
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/**
 * What a reader shows of an e-mail, as HTML that is sent: the reader's own sanitiser decides, hidden words, trackers and
 * remote pictures stay out, and pictures are named by their words.
 */
const shownHtml = (html: string): string => {
  const page = new DOMParser().parseFromString(sanitiseHtml(html).markup, 'text/html')
  const root = page.body
  // What the reader folds is part of the e-mail; its buttons are not.
  for (const fold of [...root.querySelectorAll('details.linnet-quote')]) {
    fold.querySelector(':scope > summary')?.remove()
    fold.replaceWith(...fold.childNodes)
  }
  for (const sheet of page.head.querySelectorAll('style')) root.prepend(sheet)
  removeUnseen(root)
  // Where a picture would be the reader writes its words; what waits for it is not seen.
  for (const picture of root.querySelectorAll('img[data-linnet-picture]')) picture.remove()
  for (const place of [...root.querySelectorAll('.linnet-image')]) {
    const words = place.textContent.trim()
    place.replaceWith(words === '' ? '' : `[${words}]`)
  }
  // A cell that only holds another is a page's layout, and costs a level of depth in every answer.
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    const isLayout = table.querySelectorAll('td, th').length <= 1
    if (!isLayout) continue
    const division = page.createElement('div')
    division.append(...[...table.querySelectorAll('td, th')].flatMap((cell) => [...cell.childNodes]))
    table.replaceWith(division)
  }
  return outgoingHtml(root.innerHTML)
}

const quotedText = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n')

/** Characters of an address line; nobody reads further. */
const LONGEST = 2_000

const headerLines = ({ from, to, cc, subject, date }: QuotedEmail): readonly (readonly [string, string])[] =>
  (
    [
      ['From', from ?? ''],
      ['Date', dateWords(date)],
      ['Subject', subject ?? ''],
      ['To', to.join(', ')],
      ['Cc', cc.join(', ')],
    ] as const
  )
    .map(([name, value]) => [name, shown(value).slice(0, LONGEST)] as const)
    .filter(([, value]) => value !== '')

const BANNER = '---------- Forwarded message ----------'

/**
 * What is sent of an e-mail below its answer, or when it is forwarded. Nothing goes out that the reader would not show.
 */
export const quoteEmail = (kind: Exclude<WritingKind, 'new'>, email: QuotedEmail): Quote => {
  const html = email.html === null || email.html.trim() === '' ? textToHtml(email.text ?? '') : shownHtml(email.html)
  const clean = outgoingHtml(html)
  const text = outgoingText(clean)
  if (kind === 'forward') {
    const lines = headerLines(email)
    const head = [BANNER, ...lines.map(([name, value]) => `${name}: ${value}`)]
    return {
      html: outgoingHtml(
        `<p>${[escaped(BANNER), ...lines.map(([name, value]) => `<strong>${name}:</strong> ${escaped(value)}`)].join('<br>')}</p>${clean}`,
      ),
      text: `${head.join('\n')}\n\n${text}`.trim(),
    }
  }
  const line = `On ${dateWords(email.date)}, ${shown(email.from ?? '').slice(0, LONGEST) || 'somebody'} wrote:`
  return {
    html: outgoingHtml(`<p>${escaped(line)}</p><blockquote type="cite">${clean}</blockquote>`),
    text: `${line}\n${quotedText(text)}`,
  }
}
