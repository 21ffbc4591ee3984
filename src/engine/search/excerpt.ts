import { markWords, type WordTerm } from '../../shared/search/mark-words.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { textOfHtml } from '../search-index/text-of-html.ts'

/** Characters of a body that are looked through: what is found further down is found by whoever opens the e-mail. */
const LOOKED_THROUGH = 64 * 1024
/** Characters that are looked through at once, and how many of them are looked through again with the next. */
const STRETCH = { length: 4096, overlap: 512 } as const
/** Characters before the word, so that it stands at the beginning of a row; and in all. */
const SHOWN = { before: 12, length: 200 } as const

const ASCII = /^[\0-\x7f]*$/

/** Whether a stretch may have one of some terms: told quickly for plain letters, as most stretches have none. */
const mayHave = (stretch: string, terms: readonly WordTerm[]): boolean => {
  if (!ASCII.test(stretch)) return true
  const lower = stretch.toLowerCase()
  return terms.some(({ words }) => words.every((word) => lower.includes(word)))
}

const firstPlace = (body: string, terms: readonly WordTerm[]): number | null => {
  for (let from = 0; from < body.length; from += STRETCH.length - STRETCH.overlap) {
    // A word that the edge cuts is whole in the next stretch, or was in the one before.
    const stretch = body.slice(from, from + STRETCH.length)
    const first = from === 0 ? 0 : stretch.search(/\s/u)
    const last = from + STRETCH.length >= body.length ? stretch.length : stretch.search(/\s\S*$/u)
    const whole = first < 0 || last <= first ? stretch : stretch.slice(first, last)
    const [span] = mayHave(whole, terms) ? markWords(whole, terms) : []
    if (span !== undefined) return from + Math.max(0, whole === stretch ? 0 : first) + span.start
  }
  return null
}

/**
 * What stands around the first word in the body of an e-mail that a search looks for and that its subject does not say:
 * one line, with the word near its beginning.
 * @returns null where the subject says all, or the body nothing of it
 */
export const excerptOf = (
  { subject, text, html }: Pick<SearchableEmail, 'subject' | 'text' | 'html'>,
  terms: readonly WordTerm[],
): string | null => {
  const wanted = terms.filter((term) => markWords(subject ?? '', [term]).length === 0)
  if (wanted.length === 0) return null
  // The plain text often says less than the formatted one, such as where to read it in a browser.
  const plain = (text ?? '').slice(0, LOOKED_THROUGH)
  const inPlain = firstPlace(plain, wanted)
  const body = inPlain === null ? textOfHtml((html ?? '').slice(0, LOOKED_THROUGH)) : plain
  const at = inPlain ?? firstPlace(body, wanted)
  if (at === null) return null
  const near = body.slice(Math.max(0, at - SHOWN.before), at)
  const before = at <= SHOWN.before ? near : near.slice(Math.max(0, near.search(/\s/u)))
  const line = (before + body.slice(at, at + 2 * SHOWN.length))
    .replace(/^[>\s]+|\u034f|[\u200b\u200e\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const shown = Array.from(line).slice(0, SHOWN.length).join('')
  return at > SHOWN.before ? `… ${shown}` : shown
}
