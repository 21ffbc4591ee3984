import { parseRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient } from '../../../shared/writing.ts'
import { WRITING_LIMITS } from '../../../shared/writing-limits.ts'
import { outgoingHtml } from './outgoing-html.ts'
import { textToHtml } from './outgoing-text.ts'
import { spacesAsLines } from './paragraph-lines.ts'

/** Maximum characters of an invalid address, enough for the user to recognise and correct it. */
const LONGEST_PERSON = 512

/** Recipients supplied from outside; invalid addresses stay in the field, visible. */
export const externalRecipients = (list: string): readonly Recipient[] => {
  const { recipients, unclear } = parseRecipients(list)
  return [...recipients, ...unclear.map((address) => ({ name: null, address: address.slice(0, LONGEST_PERSON) }))]
}

/** Subject supplied from outside, as one line within the platform's limit. */
export const externalSubject = (subject: string): string =>
  subject.replace(/\s+/g, ' ').trim().slice(0, WRITING_LIMITS.subject)

/** Plain text supplied from outside, converted for the composer. @param text lines end in LF */
export const externalText = (text: string): Pick<DraftContent, 'html' | 'text'> => ({
  html: text === '' ? '' : outgoingHtml(spacesAsLines(textToHtml(text))),
  text,
})
