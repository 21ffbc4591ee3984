import { bareSubject } from '../../../shared/answer-recipients.ts'
import { fillPlaceholders, splitName, type PlaceholderValues } from '../../../shared/placeholders.ts'
import type { Contact } from '../../../shared/people.ts'
import type { Recipient } from '../../../shared/writing.ts'
import { outgoingHtml } from './outgoing-html.ts'

const EMPTY_PARAGRAPH = /^(?:<p[^>]*>(?:<br>)?<\/p>)+|(?:<p[^>]*>(?:<br>)?<\/p>)+$/g

/** What the editor of a signature or a canned reply holds, as it is kept: without pictures, and without lines around it. */
export const cleanSnippet = (markup: string): string => {
  const body = new DOMParser().parseFromString(
    outgoingHtml(markup, () => true),
    'text/html',
  ).body
  // A message carries its pictures itself; a snippet has none to give.
  for (const picture of body.querySelectorAll('img')) picture.remove()
  return outgoingHtml(body.innerHTML.replace(EMPTY_PARAGRAPH, ''))
}

/** Fills the placeholders in the words of a snippet: what a value has of markup is words. */
export const fillSnippet = (html: string, values: PlaceholderValues): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    const { currentNode } = walker
    currentNode.nodeValue = fillPlaceholders(currentNode.nodeValue ?? '', values)
  }
  return body.innerHTML
}

/** One paragraph as what is in it: it is put into the line where the caret is, and makes no line of its own. */
export const asInline = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const [only, ...others] = body.childNodes
  return others.length === 0 && only instanceof HTMLParagraphElement ? only.innerHTML : html
}

/** The name and the address that a message goes out under. */
export interface Sender {
  readonly name: string | null
  readonly address: string
}

const NOBODY = { first_name: null, last_name: null, name: null, email: null } as const

/** What a signature is filled with: it is the same whomever the message goes to. */
export const senderValues = ({ name, address }: Sender): PlaceholderValues => ({
  ...NOBODY,
  subject: null,
  sender_name: name,
  sender_email: address,
  properties: {},
})

/** What a canned reply is filled with. @param contact of whom the message goes to; null where they are none, or unknown */
export const messageValues = (
  sender: Sender,
  { subject, to }: { readonly subject: string; readonly to: Recipient | null },
  contact: Contact | null,
): PlaceholderValues => {
  const split = splitName(to?.name ?? null)
  const first = contact?.firstName?.trim() ?? ''
  const last = contact?.lastName?.trim() ?? ''
  const whole = [first, last].filter((part) => part !== '').join(' ')
  return {
    ...senderValues(sender),
    // Who has a first name and no last one is not given the last one of another source.
    first_name: whole === '' ? split.first : first,
    last_name: whole === '' ? split.last : last,
    name: whole === '' ? (split.first === null ? null : (to?.name ?? null)) : whole,
    email: to?.address ?? null,
    subject: bareSubject(subject),
    properties: contact?.properties ?? {},
  }
}
