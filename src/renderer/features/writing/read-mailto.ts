import { decodePercent } from '../../../shared/decode-percent.ts'
import { withoutRepeats } from '../../../shared/recipients.ts'
import type { DraftContent } from '../../../shared/writing.ts'
import { givenPeople, givenSubject, givenText } from './given-content.ts'

/** Nobody asks for more by a link; a stranger's link is not to fill the window. */
const LONGEST_BODY = 20_000

/** What a `mailto:` link begins a message with. */
export type BegunByLink = Pick<DraftContent, 'to' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

/**
 * Reads a `mailto:` link (RFC 6068): whom it writes to, the subject and the words. Anything else that a link may ask for, as
 * files of the computer and headers, is left out; what is not an address stands in its field as it is, to be seen.
 * @param target an address whose scheme is `mailto:`
 */
export const readMailto = (target: string): BegunByLink => {
  const { pathname, search } = new URL(target)
  // Not a form's fields: a plus sign is a plus sign here.
  const fields = search
    .slice(1)
    .split('&')
    .map((field) => {
      const at = field.indexOf('=')
      return { name: field.slice(0, at).toLowerCase(), value: decodePercent(field.slice(at + 1)) }
    })
  const valuesOf = (name: string): readonly string[] =>
    fields.filter((field) => field.name === name).map(({ value }) => value)
  const people = (lists: readonly string[]) => givenPeople(lists.join(','))
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
  return { to, cc, bcc, subject: givenSubject(valuesOf('subject').join(' ')), ...givenText(text) }
}
