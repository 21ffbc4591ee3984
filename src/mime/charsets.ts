/** Text by the name of its charset: the names that mail uses, read the way mail programs read them. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'

type Decode = (bytes: Uint8Array) => string

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** A name without quotes, separators, its year and the language that an encoded word adds to it (RFC 2231, 5). */
function plainName(charset: string): string {
  return charset
    .replace(/[*:].*$/s, '')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}

/** A plain name without the `x-` of private ones and the maker of a code page. */
function bareName(charset: string): string {
  return plainName(charset)
    .replace(/^x(?=[a-z])/, '')
    .replace(/^(?:cp|codepage|ibm|dos|ms|win|windows)(?=\d)/, '')
}

/** What is meant by names that iconv-lite reads otherwise or does not know, by bare name: as browsers have it. */
const meanings: ReadonlyMap<string, string> = new Map([
  ...['iso88591', 'latin1', 'l1', 'csisolatin1', '819', 'isoir100'].map((name) => [name, 'windows1252'] as const),
  ...['iso88599', 'latin5', 'l5', 'csisolatin5', 'isoir148'].map((name) => [name, 'windows1254'] as const),
  ...['iso885911', 'tis620'].map((name) => [name, 'windows874'] as const),
  ...['51932', 'cseucpkdfmtjapanese'].map((name) => [name, 'eucjp'] as const),
  ['uhc', 'cp949'],
  ['54936', 'gb18030'],
  ['macce', 'maccenteuro'],
])

const byTheWeb = (label: string): Decode => {
  const decoder = new TextDecoder(label)
  return (bytes) => decoder.decode(bytes)
}

const utf8 = byTheWeb('utf-8')

/** Bytes of two-byte signs that were sent with their highest bit off. */
const withHighBits = (run: string): string =>
  run.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) | 0x80))

/** ISO-2022-KR (RFC 1557) and the GB 2312 of ISO-2022-CN (RFC 1922): two bytes a sign between SO and SI, on one line. */
const shifted =
  (set: 'cp949' | 'gbk'): Decode =>
  (bytes) => {
    const text = latin1(bytes)
      // eslint-disable-next-line no-control-regex -- the escapes that name the set
      .replace(/\x1b\$[)*+][A-M]/g, '')
      // eslint-disable-next-line no-control-regex -- SO, SI
      .replace(/\x0e([^\x0f\n]*)\x0f?/g, (_, run: string) => withHighBits(run))
    return iconv.decode(Buffer.from(text, 'latin1'), set)
  }

/** HZ (RFC 1843): two bytes a sign between `~{` and `~}`; `~~` is a tilde, and one at the end of a line joins it to the next. */
const hz: Decode = (bytes) => {
  const text = latin1(bytes).replace(/~\{((?:[!-}][!-~])*)(?:~\})?|~~|~\r?\n/g, (whole, run: string | undefined) => {
    if (run !== undefined) return withHighBits(run)
    return whole === '~~' ? '~' : ''
  })
  return iconv.decode(Buffer.from(text, 'latin1'), 'gbk')
}

/** UTF-7 (RFC 2152): between `+` and what is no base64, UTF-16 in base64; `+-` is a plus sign, as is one that begins nothing. */
const utf7: Decode = (bytes) =>
  latin1(bytes).replace(/\+([A-Za-z\d+/]*)-?/g, (_, encoded: string) =>
    encoded === '' ? '+' : iconv.decode(Buffer.from(encoded, 'base64'), 'utf-16be'),
  )

/**
 * UTF-16 whose last byte may be half of a sign: lines of a message end in one byte. Without an order, by its mark, else by
 * where the zeros of Latin letters are, else little-endian.
 */
const utf16 =
  (order: 'le' | 'be' | ''): Decode =>
  (bytes) =>
    iconv.decode(Buffer.from(bytes), `utf-16${order}`)

/** UTF-32, whose last byte may be the end of a line as well. */
const utf32 =
  (order: 'le' | 'be' | ''): Decode =>
  (bytes) =>
    iconv.decode(Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 4))), `utf-32${order}`)

/** What calls itself ASCII and has other bytes is most often UTF-8. */
const ascii: Decode = (bytes) => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)

/** Charsets that iconv-lite does not read, or not as mail means them, by bare name. */
const readers: ReadonlyMap<string, Decode> = new Map([
  ...['utf8', 'utf8mb4', 'unicode11utf8', '65001'].map((name) => [name, utf8] as const),
  ...['iso2022jp', 'iso2022jp1', 'iso2022jp2', 'iso2022jp3', 'iso2022jpms', 'csiso2022jp', 'junet'].map(
    (name) => [name, byTheWeb('iso-2022-jp')] as const,
  ),
  ...['50220', '50221', '50222'].map((name) => [name, byTheWeb('iso-2022-jp')] as const),
  ...['iso2022kr', 'csiso2022kr', '50225'].map((name) => [name, shifted('cp949')] as const),
  ...['iso2022cn', 'iso2022cnext', '50227'].map((name) => [name, shifted('gbk')] as const),
  ...['hz', 'hzgb2312', '52936'].map((name) => [name, hz] as const),
  ...['utf7', 'unicode11utf7', 'csunicode11utf7', '65000'].map((name) => [name, utf7] as const),
  ...['utf16', 'ucs2', 'iso10646ucs2', 'unicode'].map((name) => [name, utf16('')] as const),
  ...['utf16le', '1200'].map((name) => [name, utf16('le')] as const),
  ...['utf16be', '1201'].map((name) => [name, utf16('be')] as const),
  ['utf32', utf32('')],
  ['utf32le', utf32('le')],
  ['utf32be', utf32('be')],
  ...['ascii', 'usascii', 'ansix341968', 'iso646us', '20127'].map((name) => [name, ascii] as const),
])

/** Names by which iconv-lite knows what is no charset. */
const noCharsets: ReadonlySet<string> = new Set(['base64', 'hex'])

/** iconv-lite's own list, which it loads when it is asked: to ask it for each name costs an error for each that it lacks. */
const libraryNames: ReadonlySet<string> = new Set(
  iconv.encodingExists('utf-8') ? Object.keys(iconv.encodings ?? {}) : [],
)

/** How to read a charset, `null` for one of a name that nobody knows. */
function decoderOf(charset: string): Decode | null {
  const bare = bareName(charset)
  if (noCharsets.has(bare)) return null
  const reader = readers.get(bare)
  if (reader) return reader
  const name = [meanings.get(bare) ?? bare, plainName(charset)].find((each) => libraryNames.has(each))
  return name === undefined ? null : (bytes) => iconv.decode(Buffer.from(bytes), name)
}

/** Labels by which the web knows the charsets of East Asia, from the beginnings of their bare names. */
const webLabels: readonly (readonly [name: RegExp, label: string])[] = [
  [/^(?:cs)?(?:shiftjis|sjis|windows31j|mskanji|932)/, 'shift_jis'],
  [/^(?:cs)?(?:euckr|ksc|korean|uhc|949)/, 'euc-kr'],
  [/^(?:eucjp|51932)/, 'euc-jp'],
  [/^(?:cn|cs|x)?big5|^950/, 'big5'],
  [/^(?:cs)?(?:gb|euccn|chinese|936)/, 'gb18030'],
]

/**
 * The name by which a decoder for the web knows a charset whose signs may begin in one piece of text and end in the next;
 * `null` for one where that is not so.
 */
export function webLabel(charset: string): string | null {
  const bare = bareName(charset)
  return webLabels.find(([name]) => name.test(bare))?.[1] ?? null
}

export function isNamedUtf8(charset: string): boolean {
  return readers.get(bareName(charset)) === utf8
}

export function isKnownCharset(charset: string): boolean {
  return decoderOf(charset) !== null
}

/** Whether it is a name of ASCII, which says nothing of bytes that are none. */
export function isAscii(charset: string): boolean {
  return readers.get(bareName(charset)) === ascii
}

/** The charset that the bytes themselves name by a mark at their beginning, whatever else is said of them. */
function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe && (bytes[2] !== 0 || bytes[3] !== 0) ? 'utf-16le' : null
}

/**
 * Decodes text. Bytes that are none of the charset's become U+FFFD; in a charset that nobody knows, text is UTF-8 where
 * it can be that, else Windows-1252.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decode = decoderOf(markedCharset(bytes) ?? charset)
  if (decode !== null) return decode(bytes)
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

/** How much of an HTML text is looked through for the charset that it names, bytes: four times what browsers read. */
const lookedThrough = 4096

/** The charset that an HTML text names in a `meta` element or an XML declaration. */
function metaCharset(bytes: Uint8Array): string | null {
  const head = latin1(bytes.subarray(0, lookedThrough))
  const named =
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)|^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)
  const charset = named?.[1] ?? named?.[2]
  // Whoever could read this far reads no UTF-16.
  return charset === undefined || !isKnownCharset(charset) || /^utf-?(?:16|32)/i.test(charset) ? null : charset
}

/** Escapes by which seven-bit texts of East Asia name their set. */
const escapes = [
  // eslint-disable-next-line no-control-regex -- ESC
  [/\x1b\$[@B]/, 'iso-2022-jp'],
  // eslint-disable-next-line no-control-regex -- ESC
  [/\x1b\$\)C/, 'iso-2022-kr'],
] as const

/**
 * The charset of a text whose head names none that can be believed: its own `meta` element, escapes of
 * seven-bit charsets, UTF-8, and last Windows-1252.
 */
export function guessCharset(bytes: Uint8Array, isHtml: boolean): string {
  const named = isHtml ? metaCharset(bytes) : null
  if (named !== null) return named
  if (!isUtf8(bytes)) return 'windows-1252'
  const head = latin1(bytes.subarray(0, lookedThrough))
  return escapes.find(([escape]) => escape.test(head))?.[1] ?? 'utf-8'
}
