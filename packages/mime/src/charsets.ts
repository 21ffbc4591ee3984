/** Decodes text by charset, accepting the names found in mail with the meanings mail clients give them. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'

type Decode = (bytes: Uint8Array) => string

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Strips quotes, separators, the year and the language suffix of encoded words (RFC 2231, 5). */
function plainName(charset: string): string {
  return charset
    .replace(/[*:].*$/s, '')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
}

/** Plain name without the private `x-` prefix and without a code page's vendor. */
function bareName(charset: string): string {
  return plainName(charset)
    .replace(/^x(?=[a-z])/, '')
    .replace(/^(?:cp|codepage|ibm|dos|ms|win|windows)(?=\d)/, '')
}

/** Names, by bare name, that iconv-lite lacks or maps differently than browsers do. */
const charsetAliases: ReadonlyMap<string, string> = new Map([
  ...['iso88591', 'latin1', 'l1', 'csisolatin1', '819', 'isoir100'].map((name) => [name, 'windows1252'] as const),
  ...['iso88599', 'latin5', 'l5', 'csisolatin5', 'isoir148'].map((name) => [name, 'windows1254'] as const),
  ...['iso885911', 'tis620'].map((name) => [name, 'windows874'] as const),
  ...['51932', 'cseucpkdfmtjapanese'].map((name) => [name, 'eucjp'] as const),
  ['uhc', 'cp949'],
  ['54936', 'gb18030'],
  ['macce', 'maccenteuro'],
])

const webDecoder = (label: string): Decode => {
  const decoder = new TextDecoder(label)
  return (bytes) => decoder.decode(bytes)
}

const utf8 = webDecoder('utf-8')

/** Restores the high bit of two-byte characters sent as seven bits. */
const withHighBits = (run: string): string =>
  run.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) | 0x80))

/** ISO-2022-KR (RFC 1557) and GB 2312 in ISO-2022-CN (RFC 1922): two-byte characters between SO and SI in a line. */
const shifted =
  (set: 'cp949' | 'gbk'): Decode =>
  (bytes) => {
    const text = latin1(bytes)
      // eslint-disable-next-line no-control-regex -- escapes that select the charset
      .replace(/\x1b\$[)*+][A-M]/g, '')
      // eslint-disable-next-line no-control-regex -- SO, SI
      .replace(/\x0e([^\x0f\n]*)\x0f?/g, (_, run: string) => withHighBits(run))
    return iconv.decode(Buffer.from(text, 'latin1'), set)
  }

/** HZ (RFC 1843): two-byte characters between `~{` and `~}`. `~~` is a tilde; a final `~` joins the next line. */
const hz: Decode = (bytes) => {
  const text = latin1(bytes).replace(/~\{((?:[!-}][!-~])*)(?:~\})?|~~|~\r?\n/g, (whole, run: string | undefined) => {
    if (run !== undefined) return withHighBits(run)
    return whole === '~~' ? '~' : ''
  })
  return iconv.decode(Buffer.from(text, 'latin1'), 'gbk')
}

/** UTF-7 (RFC 2152): UTF-16 in base64 after `+`, up to any other character. `+-` or a bare `+` is a plus sign. */
const utf7: Decode = (bytes) =>
  latin1(bytes).replace(/\+([A-Za-z\d+/]*)-?/g, (_, encoded: string) =>
    encoded === '' ? '+' : iconv.decode(Buffer.from(encoded, 'base64'), 'utf-16be'),
  )

/**
 * UTF-16. The last character may be cut in half, as message lines end in one byte. The byte order comes from the name,
 * the BOM, or the zeros of Latin letters; default little-endian.
 */
const utf16 =
  (order: 'le' | 'be' | ''): Decode =>
  (bytes) =>
    iconv.decode(Buffer.from(bytes), `utf-16${order}`)

/** UTF-32. Drops incomplete final bytes, which may be a line end. */
const utf32 =
  (order: 'le' | 'be' | ''): Decode =>
  (bytes) =>
    iconv.decode(Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 4))), `utf-32${order}`)

/** Text labelled as ASCII that contains other bytes is usually UTF-8. */
const ascii: Decode = (bytes) => new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)

/** Charsets, by bare name, that iconv-lite lacks or decodes differently than mail expects. */
const customDecoders: ReadonlyMap<string, Decode> = new Map([
  ...['utf8', 'utf8mb4', 'unicode11utf8', '65001'].map((name) => [name, utf8] as const),
  ...['iso2022jp', 'iso2022jp1', 'iso2022jp2', 'iso2022jp3', 'iso2022jpms', 'csiso2022jp', 'junet'].map(
    (name) => [name, webDecoder('iso-2022-jp')] as const,
  ),
  ...['50220', '50221', '50222'].map((name) => [name, webDecoder('iso-2022-jp')] as const),
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

const noCharsets: ReadonlySet<string> = new Set(['base64', 'hex'])

/** Names from iconv-lite's own list, as probing an unknown name costs an exception. The first probe loads the list. */
const libraryNames: ReadonlySet<string> = new Set(
  iconv.encodingExists('utf-8') ? Object.keys(iconv.encodings ?? {}) : [],
)

function decoderOf(charset: string): Decode | null {
  const bare = bareName(charset)
  if (noCharsets.has(bare)) return null
  const reader = customDecoders.get(bare)
  if (reader) return reader
  const name = [charsetAliases.get(bare) ?? bare, plainName(charset)].find((each) => libraryNames.has(each))
  return name === undefined ? null : (bytes) => iconv.decode(Buffer.from(bytes), name)
}

/** Web labels of East Asian charsets, by prefix of the bare name. */
const webLabels: readonly (readonly [name: RegExp, label: string])[] = [
  [/^(?:cs)?(?:shiftjis|sjis|windows31j|mskanji|932)/, 'shift_jis'],
  [/^(?:cs)?(?:euckr|ksc|korean|uhc|949)/, 'euc-kr'],
  [/^(?:eucjp|51932)/, 'euc-jp'],
  [/^(?:cn|cs|x)?big5|^950/, 'big5'],
  [/^(?:cs)?(?:gb|euccn|chinese|936)/, 'gb18030'],
]

/** The web label of a charset whose characters may be split between two pieces of text, else null. */
export function toMultibyteLabel(charset: string): string | null {
  const bare = bareName(charset)
  return webLabels.find(([name]) => name.test(bare))?.[1] ?? null
}

export function isUtf8Charset(charset: string): boolean {
  return customDecoders.get(bareName(charset)) === utf8
}

export function isKnownCharset(charset: string): boolean {
  return decoderOf(charset) !== null
}

/** True for names of ASCII, which say nothing about non-ASCII bytes. */
export function isAsciiCharset(charset: string): boolean {
  return customDecoders.get(bareName(charset)) === ascii
}

/** Charset given by a byte order mark, which overrides any declaration. */
function markedCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe && (bytes[2] !== 0 || bytes[3] !== 0) ? 'utf-16le' : null
}

/** Decodes text, with U+FFFD for invalid bytes. For an unknown charset, tries UTF-8, then Windows-1252. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const decode = decoderOf(markedCharset(bytes) ?? charset)
  if (decode !== null) return decode(bytes)
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}

/** Bytes of HTML searched for a charset declaration: four times what browsers read. */
const maxSearchedBytes = 4096

/** Charset declared in a `meta` element or an XML declaration. */
function metaCharset(bytes: Uint8Array): string | null {
  const head = latin1(bytes.subarray(0, maxSearchedBytes))
  const named =
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)|^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)
  const charset = named?.[1] ?? named?.[2]
  // It was just read as ASCII, so a claim of UTF-16 or UTF-32 is false.
  return charset === undefined || !isKnownCharset(charset) || /^utf-?(?:16|32)/i.test(charset) ? null : charset
}

/** Escape sequences of seven-bit East Asian charsets. */
const escapes = [
  // eslint-disable-next-line no-control-regex -- ESC
  [/\x1b\$[@B]/, 'iso-2022-jp'],
  // eslint-disable-next-line no-control-regex -- ESC
  [/\x1b\$\)C/, 'iso-2022-kr'],
] as const

/** Guesses a charset without a credible label: `meta` element, seven-bit escapes, UTF-8, else Windows-1252. */
export function guessCharset(bytes: Uint8Array, isHtml: boolean): string {
  const named = isHtml ? metaCharset(bytes) : null
  if (named !== null) return named
  if (!isUtf8(bytes)) return 'windows-1252'
  const head = latin1(bytes.subarray(0, maxSearchedBytes))
  return escapes.find(([escape]) => escape.test(head))?.[1] ?? 'utf-8'
}
