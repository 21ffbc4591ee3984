import { parseRecipients, dedupeRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient } from '../../../shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import { toOutgoingHtml } from './outgoing-html.ts'
import { textToHtml } from './outgoing-text.ts'
import { convertSpacingToLines } from './paragraph-lines.ts'
import { decodePercent } from '../../../shared/decode-percent.ts'

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

/** Maximum characters of a link's body: ample for a genuine link, and a stranger's link must not flood the composer. */
const MAX_BODY_LENGTH = 20_000

type MailtoDraft = Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

/**
 * Reads recipients, subject and body of a `mailto:` link (RFC 6068). Ignores everything else, such as local files and
 * headers; invalid addresses stay in their field, visible.
 * @param target a URL with the scheme `mailto:`
 */
export const parseMailto = (target: string): MailtoDraft => {
  const { pathname, search } = new URL(target)
  // Not form encoding: a plus sign stays a plus sign.
  const fields = search
    .slice(1)
    .split('&')
    .map((field) => {
      const at = field.indexOf('=')
      return { name: field.slice(0, at).toLowerCase(), value: decodePercent(field.slice(at + 1)) }
    })
  const valuesOf = (name: string): readonly string[] =>
    fields.filter((field) => field.name === name).map(({ value }) => value)
  const peopleOf = (lists: readonly string[], others: readonly Recipient[]): readonly Recipient[] => {
    const taken = others.map(({ address }) => address)
    return dedupeRecipients(parseExternalRecipients(lists.join(',')), taken)
  }
  const to = peopleOf([decodePercent(pathname), ...valuesOf('to')], [])
  const cc = peopleOf(valuesOf('cc'), to)
  const bcc = peopleOf(valuesOf('bcc'), [...to, ...cc])
  const text = valuesOf('body').join('\n').replace(/\r\n?/g, '\n').slice(0, MAX_BODY_LENGTH)
  return { to, cc, bcc, subject: toExternalSubject(valuesOf('subject').join(' ')), ...toExternalBody(text) }
}
