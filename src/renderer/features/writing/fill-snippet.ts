import { stripSubjectPrefixes } from '../../../shared/reply-recipients.ts'
import { fillPlaceholders, splitDisplayName, type PlaceholderValues } from '../../../shared/placeholders.ts'
import type { Contact } from '../../../shared/people.ts'
import type { Recipient } from '../../../shared/drafts.ts'
import { toOutgoingHtml } from './outgoing-html.ts'

const EMPTY_PARAGRAPH = /^(?:<p[^>]*>(?:<br>)?<\/p>)+|(?:<p[^>]*>(?:<br>)?<\/p>)+$/g

/** Cleans a signature or canned reply for storage: no images, no blank lines around it. */
export const sanitizeSnippet = (markup: string): string => {
  const { body } = new DOMParser().parseFromString(markup, 'text/html')
  // A message contains its images; a snippet can't.
  for (const picture of body.querySelectorAll('img')) picture.remove()
  return toOutgoingHtml(body.innerHTML.replace(EMPTY_PARAGRAPH, ''))
}

/** Replaces the text of an element; markup in it stays text. */
export const fillText = (element: Element, fill: (text: string) => string): void => {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) walker.currentNode.nodeValue = fill(walker.currentNode.nodeValue ?? '')
}

/** Fills placeholders in a snippet; markup in values stays text. */
export const fillSnippet = (html: string, values: PlaceholderValues): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  fillText(body, (text) => fillPlaceholders(text, values))
  return body.innerHTML
}

/** Unwraps a single paragraph, so it is inserted into the current line. */
export const unwrapSingleParagraph = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const [only, ...others] = body.childNodes
  return others.length === 0 && only instanceof HTMLParagraphElement ? only.innerHTML : html
}

const NOBODY = { first_name: null, last_name: null, name: null, email: null } as const

/** Values for a signature, independent of the recipient. */
export const toSenderValues = ({ name, address }: Recipient): PlaceholderValues => ({
  ...NOBODY,
  subject: null,
  sender_name: name,
  sender_email: address,
  properties: {},
})

/** Values for a canned reply. @param contact the recipient's contact, or null */
export const toMessageValues = (
  sender: Recipient,
  { subject, to }: { readonly subject: string; readonly to: Recipient | null },
  contact: Contact | null,
): PlaceholderValues => {
  const split = splitDisplayName(to?.name ?? null)
  const first = contact?.firstName?.trim() ?? ''
  const last = contact?.lastName?.trim() ?? ''
  const whole = [first, last].filter((part) => part !== '').join(' ')
  return {
    ...toSenderValues(sender),
    // Never mix a first name and a last name from different sources.
    first_name: whole === '' ? split.first : first,
    last_name: whole === '' ? split.last : last,
    name: whole === '' ? (split.first === null ? null : (to?.name ?? null)) : whole,
    email: to?.address ?? null,
    subject: stripSubjectPrefixes(subject),
    properties: contact?.properties ?? {},
  }
}
