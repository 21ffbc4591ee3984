import type { Thread } from '../../../shared/model.ts'
import type { Span } from '../../../shared/search/lex-search.ts'
import { markWords, type SearchMarks } from '../../../shared/search/mark-words.ts'
import type { PeopleField } from '../../../shared/thread-query.ts'
import { displayName, summaryPieces, type NamedPiece } from '../../../shared/address.ts'
import { visibleText } from '../../../shared/visible-text.ts'

const NO_SUBJECT = '(no subject)'

/** A subject for the screen: none is said in words, not left blank. */
export const subjectOf = (subject: string | null): string => {
  const text = visibleText(subject ?? '')
  return text === '' ? NO_SUBJECT : text
}

/** What is marked of a subject as it is shown. */
export const markSubject = (shown: string, marks: SearchMarks | null): readonly Span[] =>
  marks === null || shown === NO_SUBJECT ? [] : markWords(shown, marks.terms)

/** Whom a thread is with, and in which field they are: in `sent` the people that it went to, elsewhere who wrote last. */
export const correspondent = (
  thread: Pick<Thread, 'folder' | 'to' | 'from'>,
): { readonly pieces: readonly NamedPiece[]; readonly field: PeopleField } =>
  thread.folder === 'sent' && thread.to.length > 0
    ? { pieces: [{ text: 'To: ', isName: false }, ...summaryPieces(thread.to, 2)], field: 'to' }
    : { pieces: [{ text: displayName(thread.from), isName: thread.from !== null }], field: 'from' }
