import { PEOPLE_FIELDS, type PeopleField } from '../../../shared/thread-query.ts'
import type { WordTerm } from '../../../shared/search/highlight-terms.ts'
import { tokenizeWords } from '../../../shared/search/word-tokenizer.ts'
import { foldToPlainLetters } from './spellings.ts'
import { htmlToWords } from '../../../shared/mail-text/html-to-text.ts'

export interface SearchableEmail extends Readonly<Record<PeopleField, readonly string[]>> {
  readonly id: string
  readonly messageId: string | null
  /** Null if unknown, which is always the case in threads. */
  readonly headers: Readonly<Record<string, string>> | null
  readonly isOutbound: boolean
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly subject: string | null
  readonly text: string | null
  readonly html: string | null
  /** One entry per attachment; null if unnamed. */
  readonly attachments: readonly (string | null)[]
}

export interface SearchablePerson {
  readonly name: string
  readonly address: string
}

/** Maximum characters indexed of a body. Only pasted files are longer. */
const MAX_TEXT_LENGTH = 512 * 1024
/** Maximum HTML characters parsed to get that text. */
const MAX_HTML_LENGTH = 4 * 1024 * 1024

/**
 * Parses `a@example.com`, `Ann Lee <a@example.com>` or `"Lee, Ann" <a@example.com>`. Anything else counts as an
 * address, so that its whole text can be found.
 */
export const parsePerson = (text: string): SearchablePerson => {
  const trimmed = text.trim()
  const open = trimmed.lastIndexOf('<')
  if (open === -1 || !trimmed.endsWith('>')) return { name: '', address: trimmed }
  const shown = trimmed.slice(0, open).trim()
  const isQuoted = shown.length > 1 && shown.startsWith('"') && shown.endsWith('"')
  return {
    name: isQuoted ? shown.slice(1, -1).replace(/\\(.)/gsu, '$1') : shown,
    address: trimmed.slice(open + 1, -1),
  }
}

/** Text that `from`, `to`, `cc` and `bcc` search for substrings. */
export const toPersonSearchText = ({ name, address }: SearchablePerson): string => `${name}\n${address}`.toLowerCase()

/**
 * True if a person matches typed text. Unaccented letters match accented ones, but not vice versa. @param typed in
 * lower case
 */
export const matchesTypedText = (text: string, typed: string): boolean => {
  const plain = foldToPlainLetters(text)
  const has = (part: string): boolean => text.includes(part) || plain.includes(part)
  return has(typed) || (plain.includes(foldToPlainLetters(typed)) && typed.split(/\s+/u).every(has))
}

const WHOLE_ADDRESS = /^<([^<>\s@]+@[^<>\s@]+)>$/

/**
 * Search part for `from`, `to`, `cc` or `bcc`. Angle brackets mean an exact address, so that `ann@` doesn't match
 * `joann@`.
 */
export const toPersonSearchPart = (value: string): string => {
  const part = value.toLowerCase()
  const address = WHOLE_ADDRESS.exec(part)?.[1]
  return address === undefined ? part : `\n${address}`
}

/** @param text made by `toPersonSearchText` @param part made by `toPersonSearchPart` */
export const matchesSearchPart = (text: string, part: string): boolean =>
  part.startsWith('\n') ? text.endsWith(part) : text.includes(part)

export const peopleOf = (email: SearchableEmail): Readonly<Record<PeopleField, readonly SearchablePerson[]>> => ({
  from: email.from.map(parsePerson),
  to: email.to.map(parsePerson),
  cc: email.cc.map(parsePerson),
  bcc: email.bcc.map(parsePerson),
})

/** Words by field. Phrases never match across two fields. */
export interface EmailWords {
  readonly subject: readonly string[]
  /** Includes the subject. */
  readonly fields: readonly (readonly string[])[]
}

const namesIn = (email: SearchableEmail): readonly string[] => {
  const people = peopleOf(email)
  return PEOPLE_FIELDS.flatMap((field) => people[field].flatMap(({ name, address }) => [name, address]))
}

/**
 * The fields that `query` searches (platform.md 9.8). The plain-text and HTML bodies are separate fields, and so are
 * names and addresses.
 * @param wordsOfPeople words of names and addresses, if already known
 */
export const tokenizeEmail = (
  email: SearchableEmail,
  wordsOfPeople: readonly (readonly string[])[] = namesIn(email).map(tokenizeWords),
): EmailWords => {
  const subject = tokenizeWords(email.subject ?? '')
  const bodies = [
    (email.text ?? '').slice(0, MAX_TEXT_LENGTH),
    email.html === null ? '' : htmlToWords(email.html.slice(0, MAX_HTML_LENGTH)).slice(0, MAX_TEXT_LENGTH),
  ]
  const files = email.attachments.map((name) => tokenizeWords(name ?? ''))
  const fields = [subject, ...bodies.map(tokenizeWords), ...wordsOfPeople, ...files]
  return { subject, fields: fields.filter((words) => words.length > 0) }
}

const countIn = (field: readonly string[], { words, isOpen }: WordTerm): number => {
  const last = words.length - 1
  let count = 0
  for (let at = 0; at + last < field.length;) {
    const isHere = words.every((word, place) =>
      isOpen && place === last ? (field[at + place]?.startsWith(word) ?? false) : field[at + place] === word,
    )
    if (isHere) count += 1
    at += isHere ? words.length : 1
  }
  return count
}

/**
 * Relevance as in the local platform (platform.md 11.11): ten per match in the subject, plus one per match anywhere.
 */
export const computeRelevance = ({ subject, fields }: EmailWords, terms: readonly WordTerm[]): number =>
  terms.reduce(
    (sum, term) => sum + 10 * countIn(subject, term) + fields.reduce((all, field) => all + countIn(field, term), 0),
    0,
  )
