import { parseRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient } from '../../../shared/writing.ts'
import { WRITING_LIMITS } from '../../../shared/writing-limits.ts'
import { outgoingHtml } from './outgoing-html.ts'
import { textToHtml } from './outgoing-text.ts'
import { spacesAsLines } from './paragraph-lines.ts'

/** What is not an address is shown to be corrected, and needs no more room for that. */
const LONGEST_PERSON = 512

/** People whom somebody else has named for a message: what is not an address stands in its field as it is, to be seen. */
export const givenPeople = (list: string): readonly Recipient[] => {
  const { recipients, unclear } = parseRecipients(list)
  return [...recipients, ...unclear.map((address) => ({ name: null, address: address.slice(0, LONGEST_PERSON) }))]
}

/** A subject that somebody else has given: one line of the length that the platform takes. */
export const givenSubject = (subject: string): string =>
  subject.replace(/\s+/g, ' ').trim().slice(0, WRITING_LIMITS.subject)

/** A plain text that somebody else has given, as the composer has it. @param text its lines end in `\n` */
export const givenText = (text: string): Pick<DraftContent, 'html' | 'text'> => ({
  html: text === '' ? '' : outgoingHtml(spacesAsLines(textToHtml(text))),
  text,
})
