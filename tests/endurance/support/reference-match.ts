import { containsPhrase, buildIndexText, tokenizeWords } from '../../../packages/platform/src/search/word-index.ts'
import type { EmailList, EmailQuery } from '../../../src/shared/email-query.ts'
import { PEOPLE_FIELDS } from '../../../src/shared/thread-query.ts'
import type { RandomEmail, RandomPerson } from './random-mailbox.ts'

export const header = ({ name, address }: RandomPerson): string =>
  name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`

export interface LookedAt {
  readonly email: RandomEmail
  /** True if the e-mail's text is stored locally. HTML is not searched. */
  readonly isWhole: boolean
}

/** The matching rules for one e-mail (platform.md 9), as simple as possible, with the local platform's tokenizer. */
export const matches = (list: EmailList, { email, isWhole }: LookedAt, query: EmailQuery): boolean => {
  const people = { from: email.from === null ? [] : [email.from], to: email.to, cc: email.cc, bcc: email.bcc }
  const attachments = list === 'sent' ? [] : email.attachments
  const named = PEOPLE_FIELDS.flatMap((field) => people[field].flatMap(({ name, address }) => [name, address]))
  const files = attachments.map(({ filename }) => filename ?? '')
  const words = buildIndexText([email.subject ?? '', isWhole ? (email.text ?? '') : '', ...named, ...files])
  const subjectWords = buildIndexText([email.subject ?? ''])
  const lastWanted = query.text.findLast(({ isExcluded }) => !isExcluded)
  const terms = query.text.map((term) => ({
    ...term,
    isOpen: query.lastWordIsPrefix === true && term === lastWanted && !term.isPhrase,
    words: tokenizeWords(term.text),
    within: term.isInSubject === true ? subjectWords : words,
  }))
  const spoken = terms.filter((term) => term.words.length > 0)
  if (terms.length > 0 && spoken.length === 0) return false
  const fitsTerm = (term: (typeof terms)[number]): boolean =>
    term.isOpen
      ? term.within.includes(` ${term.words.join(' ')}`)
      : containsPhrase(term.within, term.words) !== term.isExcluded
  const isAt = (bound: EmailQuery['since']): number => (bound?.kind === 'instant' ? bound.at : Number.NaN)
  return (
    spoken.every(fitsTerm) &&
    PEOPLE_FIELDS.every(
      (field) =>
        query[field].length === 0 ||
        query[field].some((part) =>
          people[field].some(({ name, address }) => `${name}\n${address}`.toLowerCase().includes(part.toLowerCase())),
        ),
    ) &&
    (query.hasAttachment === null || attachments.length > 0 === query.hasAttachment) &&
    (query.since === null || email.time >= isAt(query.since)) &&
    (query.until === null || email.time < isAt(query.until))
  )
}
