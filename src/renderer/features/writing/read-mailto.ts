import { decodePercent } from '../../../shared/decode-percent.ts'
import { withoutRepeats } from '../../../shared/recipients.ts'
import type { DraftContent } from '../../../shared/writing.ts'
import { externalRecipients, externalSubject, externalText } from './external-content.ts'

/** Maximum characters of a link's body: ample for a genuine link, and a stranger's link must not flood the composer. */
const LONGEST_BODY = 20_000

export type MailtoDraft = Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

/**
 * Reads recipients, subject and body of a `mailto:` link (RFC 6068). Ignores everything else, such as local files and
 * headers; invalid addresses stay in their field, visible.
 * @param target a URL with the scheme `mailto:`
 */
export const readMailto = (target: string): MailtoDraft => {
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
  const people = (lists: readonly string[]) => externalRecipients(lists.join(','))
  const to = withoutRepeats(people([decodePercent(pathname), ...valuesOf('to')]))
  const cc = withoutRepeats(
    people(valuesOf('cc')),
    to.map(({ address }) => address),
  )
  const bcc = withoutRepeats(
    people(valuesOf('bcc')),
    [...to, ...cc].map(({ address }) => address),
  )
  const text = valuesOf('body').join('\n').replace(/\r\n?/g, '\n').slice(0, LONGEST_BODY)
  return { to, cc, bcc, subject: externalSubject(valuesOf('subject').join(' ')), ...externalText(text) }
}
