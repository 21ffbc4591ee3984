import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tokenizer } from 'htmlparser2'
import { parseSrcset, toRemoteAddress } from '../../../shared/remote-address.ts'

/** Maximum strings examined per e-mail, more than any real e-mail has. */
const MAX_STRINGS = 20_000
/** Maximum length of a string to search for addresses, in characters. */
const MAX_STRING_LENGTH = 10_000
/** Characters read per turn of the event loop. */
const AT_ONCE = 256 * 1024

/** Possible start of an address. Browsers read backslashes as slashes. */
const ADDRESS_START = /[\\/]{2}|https?:/i

/** Decodes CSS escapes (CSS Syntax 3, 4.3.7). */
const withoutEscapes = (css: string): string =>
  css.replace(/\\(?:([\da-f]{1,6})[ \t\r\n\f]?|([^\r\n\f]))/gi, (_, code: string | undefined, letter = '') => {
    if (code === undefined) return letter as string
    const point = Number.parseInt(code, 16)
    return point === 0 || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  })

/** Patterns for addresses within longer text: in styles, or where HTML parsers disagree. */
const EMBEDDED_ADDRESS_PATTERNS: readonly RegExp[] = [
  /url\(\s*(?:"([^"]*)"?|'([^']*)'?|([^)]*))/gi,
  /"([^"]*)"|'([^']*)'/g,
  /((?:https?:|[\\/]{2})[^\s"'<>)]*)/gi,
]

/** Every web address that the sender wrote in the HTML, normalised by `URL`. Yields to the event loop. */
export const collectWebAddresses = async (html: string): Promise<ReadonlySet<string>> => {
  const named = new Set<string>()
  let looked = 0
  const add = (text: string): void => {
    if (text.length > MAX_STRING_LENGTH || !ADDRESS_START.test(text.replace(/[\t\n\r]/g, '')) || looked >= MAX_STRINGS)
      return
    looked += 1
    const address = toRemoteAddress(text)
    if (address !== null && URL.canParse(address)) named.add(new URL(address).href)
  }
  const read = (text: string): void => {
    // Data URLs hold encoded bytes, which may resemble anything.
    if (/^\s*data:/i.test(text)) return
    const plain = text.includes('\\') ? withoutEscapes(text) : text
    if (!ADDRESS_START.test(text.replace(/[\t\n\r]/g, '')) && !ADDRESS_START.test(plain)) return
    add(text)
    for (const { written } of parseSrcset(text)) add(written)
    for (const each of new Set([text, plain])) {
      for (const shape of EMBEDDED_ADDRESS_PATTERNS)
        for (const [, ...found] of each.matchAll(shape)) add(found.join(''))
    }
  }

  let value = ''
  let words = ''
  const readWords = (): void => {
    read(words)
    words = ''
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onattribdata: (start, end) => (value += html.slice(start, end)),
      onattribentity: (code) => (value += String.fromCodePoint(code)),
      onattribend: () => {
        read(value)
        value = ''
      },
      ontext: (start, end) => (words += html.slice(start, end)),
      ontextentity: (code) => (words += String.fromCodePoint(code)),
      oncomment: (start, end) => read(html.slice(start, end)),
      oncdata: (start, end) => read(html.slice(start, end)),
      ondeclaration: (start, end) => read(html.slice(start, end)),
      onprocessinginstruction: (start, end) => read(html.slice(start, end)),
      onopentagname: readWords,
      onclosetag: readWords,
      onattribname: () => undefined,
      onend: readWords,
      onopentagend: () => undefined,
      onselfclosingtag: () => undefined,
    },
  )
  for (let at = 0; at < html.length; at += AT_ONCE) {
    if (at > 0) await nextTurn()
    tokenizer.write(html.slice(at, at + AT_ONCE))
  }
  tokenizer.end()
  return named
}
