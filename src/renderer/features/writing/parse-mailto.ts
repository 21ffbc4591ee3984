import { decodePercent } from '../../../shared/decode-percent.ts'
import { dedupeRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient } from '../../../shared/drafts.ts'
import { parseExternalRecipients, toExternalSubject, toExternalBody } from './external-content.ts'

/** Maximum characters of a link's body: ample for a genuine link, and a stranger's link must not flood the composer. */
const MAX_BODY_LENGTH = 20_000

export type MailtoDraft = Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

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
