import { decodePercent } from '../../shared/decode-percent.ts'
import type { UnsubscribeWay } from '../../shared/unsubscribing.ts'
import { isPublicHttps } from '../network/fetchable-address.ts'
import type { ListHeaders } from '../senders/list-headers.ts'

/** More than any list names. */
const MOST_URIS = 20
/** UTF-16 units; what is longer is no address for a person to judge. */
const LONGEST_URI = 4_096
/** Of a message that a list asks for; what its program needs is a word or a token. */
const LONGEST = { subject: 500, text: 2_000 } as const

/**
 * The addresses in angle brackets (RFC 2369, 2): comments, and all that stands between the brackets, are passed over, and
 * blanks in an address mean nothing, as long lines are folded there.
 */
const urisIn = (header: string): readonly string[] => {
  const uris: string[] = []
  let depth = 0
  for (let at = 0; at < header.length && uris.length < MOST_URIS; at += 1) {
    const letter = header[at]
    if (depth > 0 && letter === '\\') at += 1
    else if (letter === '(') depth += 1
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === '<' && depth === 0) {
      const end = header.indexOf('>', at)
      // The last one was cut off.
      if (end === -1) break
      const uri = header.slice(at + 1, end).replace(/\s+/g, '')
      if (uri !== '' && uri.length <= LONGEST_URI) uris.push(uri)
      at = end
    }
  }
  return uris
}

/** One plain address: what mail servers use, so that nothing in it adds a recipient or a header. */
const ADDRESS = /^[^\s"'<>()[\]\\,;:@\uff20\ufe6b]{1,64}@[^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]{1,255}$/u

/** Nothing that breaks a line, hides, or turns the direction of writing. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}]/gu, '')
    .trim()

const mailOf = (uri: URL): UnsubscribeWay | null => {
  const to = decodePercent(uri.pathname)
  if (!ADDRESS.test(to) || /[\p{Cc}\p{Cf}]/u.test(to)) return null
  const fieldOf = (name: string): string => {
    // Not a form's fields: a plus sign is a plus sign (RFC 6068).
    const field = uri.search
      .slice(1)
      .split('&')
      .find((each) => each.toLowerCase().startsWith(`${name}=`))
    return field === undefined ? '' : decodePercent(field.slice(name.length + 1))
  }
  const lines = fieldOf('body')
    .slice(0, LONGEST.text)
    .split(/\r\n?|\n/)
  return {
    kind: 'mail',
    to,
    subject: oneLine(fieldOf('subject').slice(0, LONGEST.subject)),
    text: lines.map((line) => oneLine(line)).join('\n'),
  }
}

/** Whether the list takes a POST: the header has this value and no other (RFC 8058, 3.1). */
const isOneClick = (post: string | null): boolean =>
  post?.split(',').every((each) => each.trim().toLowerCase() === 'list-unsubscribe=one-click') === true

/**
 * The ways in which a list says that one leaves it, the best first: one of a kind, each the first that can be used. One-click
 * only over https to the public Internet, and with the header that says so. Addresses with a name or a password in them, and
 * of all other schemes, are no ways. Never throws.
 */
export const readWays = ({
  unsubscribe,
  post,
}: Pick<ListHeaders, 'unsubscribe' | 'post'>): readonly UnsubscribeWay[] => {
  const uris = urisIn(unsubscribe).flatMap((uri) => URL.parse(uri) ?? [])
  const pages = uris.filter(
    ({ protocol, username, password }) =>
      (protocol === 'https:' || protocol === 'http:') && username === '' && password === '',
  )
  const posted = isOneClick(post) ? pages.find(isPublicHttps) : undefined
  const mail = uris.flatMap((uri) => (uri.protocol === 'mailto:' ? (mailOf(uri) ?? []) : []))[0]
  const page = posted ?? pages[0]
  return [
    ...(posted === undefined ? [] : [{ kind: 'oneClick', url: posted.href } as const]),
    ...(mail === undefined ? [] : [mail]),
    ...(page === undefined ? [] : [{ kind: 'page', url: page.href } as const]),
  ]
}
