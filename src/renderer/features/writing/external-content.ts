import { parseRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient } from '../../../shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import { toOutgoingHtml } from './outgoing-html.ts'
import { textToHtml } from './outgoing-text.ts'
import { convertSpacingToLines } from './paragraph-lines.ts'

/** Maximum characters of an invalid address, enough for the user to recognise and correct it. */
const MAX_PERSON_LENGTH = 512

/** Recipients supplied from outside; invalid addresses stay in the field, visible. */
export const parseExternalRecipients = (list: string): readonly Recipient[] => {
  const { recipients, unclear } = parseRecipients(list)
  return [...recipients, ...unclear.map((address) => ({ name: null, address: address.slice(0, MAX_PERSON_LENGTH) }))]
}

/** Subject supplied from outside, as one line within the platform's limit. */
export const toExternalSubject = (subject: string): string =>
  subject.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_LIMITS.subject)

/** Plain text supplied from outside, converted for the composer. @param text lines end in LF */
export const toExternalBody = (text: string): Pick<DraftContent, 'html' | 'text'> => ({
  html: text === '' ? '' : toOutgoingHtml(convertSpacingToLines(textToHtml(text))),
  text,
})
