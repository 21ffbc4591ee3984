import { isHostName } from '../../ui/domain.ts'
import { foldLookAlikes } from '../../ui/look-alike.ts'

export interface NamedHosts {
  readonly hosts: readonly string[]
  /** In lower case. */
  readonly addresses: readonly string[]
  /** True if invisible characters are hidden inside a host. */
  readonly isHiding: boolean
}

/** Invisible characters, ones that change adjacent ones (Default_Ignorable_Code_Point), and controls. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- matches invisible characters
  /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/gu
/** Variation selectors and emoji joiners, which are common and harmless. */
const HARMLESS_INVISIBLE = /\u200d|\ufe0e|\ufe0f/g
/** White space that separates words. Excludes the invisible zero-width no-break space. */
const BLANKS = /[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
/** Spaces so narrow that a word seems to continue after them. */
const NARROW = /[\u2006\u2008-\u200a\u202f\u205f]/g

/** Look-alike full stops of other scripts. NFKC folds the full-width one. The ideographic one ends sentences. */
const DOTS = /[\u0660\u06d4\u06f0\u0701\u0702\ua4f8]|\u3002(?=[a-z\d])/giu
const SLASHES = /[\u2044\u2215\u27cb\u29f8\u2571\u1735\u3033]/g
const COLONS = /[\u02d0\u02f8\u0589\u05c3\u2236\ua789]/g
/** Ellipses, and small marks after a name: visible, but not part of it. */
const ASIDES = /\u2026|\.{2,}|[\u2120\u2122\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]/g
/** Scripts that adjoin Latin names without a space, and have no letters that look Latin. */
const ADJOINING_SCRIPTS =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Hebrew}\\p{Script=Arabic}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}' +
  '\\p{Script=Gujarati}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Ethiopic}]'
const SCRIPT_BOUNDARIES = new RegExp(
  `(?<=${ADJOINING_SCRIPTS}[-ー]?)(?=[a-z\\d])|(?<=[a-z\\d])(?=-?${ADJOINING_SCRIPTS})`,
  'giu',
)

/** Normalises text to what the eye and a browser's address bar make of it. */
const fold = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(ASIDES, '\n')
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(SLASHES, '/')
    .replace(COLONS, ':')
    .replace(SCRIPT_BOUNDARIES, '\n')
    // Decoded as in a host (URL Standard, host parsing), except spaces, which would split a word.
    .replace(/%(2[1-9a-f]|[3-6][\da-f]|7[\da-e])/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )

/** False if a text surely contains no host and no address, however it is read. */
export const mayNameHost = (text: string): boolean => /[.:]/.test(fold(text))

const SCHEME = /(?:https?|ftp|wss?):[/\\]*/i
const DOTTED_NAMES = /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63})+/gu
/** Top-level domains that are also file extensions. */
const FILE = /\.(?:zip|mov|md|py|rs|sh|pl|ps|cc|so|ai|cab|dot|mk|ml|pm|pub|tf)$/i
/** Names that are certainly files, wherever they occur: hardly any site has such a name. */
const CERTAIN_FILE_NAME = /\.(?:zip|mov|pub)$|^(?:readme|changelog|contributing|license|security|todo)\.md$/i
/** Times, and names that look like hosts: abbreviations, company names, and code. */
const NO_HOST = new RegExp(
  [
    '^\\d+\\.[ap]m$',
    '^(?:co|pvt|pty|pte|private)\\.(?:kg|ltd|inc)$',
    '^(?:[bm]\\.sc|dr\\.med|p\\.o\\.box|jr\\.sr|vs\\.us|asp\\.net)$',
    '^(?:acc|acct|art|auftr|best|id|inv|kd|kto|order|po|re|rech|ref|rg|tel|vers)\\.(?:no|nr)$',
    '^\\p{L}[\\p{L}\\p{N}_]*\\.(?:call|date|map|name|new|now|open|post|run|save|select|show|style)$',
  ].join('|'),
  'iu',
)
/** Words that look like domains when the space after a full stop is missing. */
const SENTENCE_BREAK =
  /\p{Ll}\.(?:In|It|Is|At|To|My|Me|Be|So|No|As|Am|By|Do|Us|Now|New|One|Here|How|Click|Read|Help|Get|Call)$/u
/** A capitalised word after the full stop, if more text follows: the space is missing there, too. */
const SENTENCE_BREAK_IN_TEXT = /^\p{Ll}+\.(?!Com$|Net$|Org$|Info$|Biz$|Edu$|Gov$)\p{Lu}\p{Ll}+$/u

/** Characters, well above the longest mailbox name that mail servers accept (RFC 5321, 4.5.3.1). */
const MAX_NAME_LENGTH = 200

interface TextContext {
  /** The link's path, in lower case. */
  readonly path: string
  /** True if another word follows. */
  readonly goesOn: boolean
}

/** The name as a host, without a suffix such as `-Team` in `bank.example-Team`. Null if it doesn't end like a host. */
const hostOf = (name: string): string | null => {
  const whole = name.replace(/^[-_]+|[-_]+$/g, '')
  const bare = /^(.*\.\p{L}+)-[\p{L}\p{M}\p{N}-]*$/u.exec(whole)?.[1]
  for (const each of bare === undefined ? [whole] : [whole, bare]) {
    if (isHostName(each)) return each
    // The domain doesn't exist, but looks like one that does.
    const latin = foldLookAlikes(each)
    if (latin !== each.toLowerCase() && isHostName(latin)) return latin
  }
  return null
}

/** The host between `https://` and the path, and decoy hosts before an `@`. */
const hostsOfAuthority = (authority: string): readonly string[] => {
  const at = authority.lastIndexOf('@')
  const [name = ''] = /^\[[^\]]*\]?|^[\p{L}\p{N}\p{M}._%-]*/u.exec(authority.slice(at + 1)) ?? []
  const isCut = authority.endsWith('\n')
  const host = /^(?:www\d?)?\.*$/i.test(name) || (isCut && hostOf(name) === null) ? null : (hostOf(name) ?? name)
  const before = at === -1 ? [] : [...authority.slice(0, at).matchAll(DOTTED_NAMES)].map(([each]) => each)
  return [...(host === null ? [] : [host.replace(/[-_]+$/, '')]), ...before.filter(isHostName)]
}

/** A host in a text, and the e-mail address that ends with it, if any. */
interface NamedHost {
  readonly host: string
  readonly address?: string
}

/** @param text without white space and scheme */
const findWithoutScheme = (text: string, { path, goesOn }: TextContext): readonly NamedHost[] => {
  const found: NamedHost[] = []
  for (const { 0: match, index } of text.matchAll(DOTTED_NAMES)) {
    const known = hostOf(match)
    const host = known ?? match.replace(/^[-_]+|[-_]+$/g, '')
    const behind = text.slice(index + match.length, index + match.length + 8)
    const isOfAddress = text[index - 1] === '@'
    const isMarked = (isOfAddress && !/\.\d+$/.test(host)) || /^www\d?\./i.test(host)
    const isInPath = path.includes(host.toLowerCase()) || /[^/]\/$/.test(text.slice(0, index))
    const isFile = (CERTAIN_FILE_NAME.test(host) && !behind.startsWith('/')) || (FILE.test(host) && isInPath)
    const isSaid = NO_HOST.test(host) || SENTENCE_BREAK.test(host) || (goesOn && SENTENCE_BREAK_IN_TEXT.test(host))
    // A name before an `@` is the user name of an e-mail address.
    const isName = behind.startsWith('@')
    if (!isMarked && (isName || known === null || isSaid || isFile)) continue
    const before = isOfAddress ? text.slice(Math.max(0, index - MAX_NAME_LENGTH), index) : ''
    const local = /[^\s@<>()[\]:;,"/]*@$/.exec(before)?.[0].replace(/^'+/, '')
    found.push(local === undefined ? { host } : { host, address: `${local}${host}`.toLowerCase() })
    // A path follows, and can contain anything.
    if (/^(?::\d+)?[/\\?#]/.test(behind)) break
  }
  return found
}

/** @param text folded, without white space */
const findInWord = (text: string, beside: TextContext): readonly NamedHost[] => {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return findWithoutScheme(text, beside)
  const rest = text.slice(scheme.index + scheme[0].length)
  const authority = /^[^/\\?#,;()<>[\]{}'’\n]*\n?|^\[[^\]]*\]/.exec(rest)?.[0] ?? ''
  const named = hostsOfAuthority(authority)
  return [
    ...findWithoutScheme(text.slice(0, scheme.index), beside),
    // No host follows: the "slashes" are look-alike letters.
    ...(named.length > 0 ? named.map((host) => ({ host })) : findWithoutScheme(rest, beside)),
  ]
}

const splitWords = (words: string): readonly string[] =>
  // Adjacent addresses are separate. An address inside the path of another one belongs to the path.
  words.split(BLANKS).flatMap((word) => word.split(/[<>"“”„«»|]|[,;](?=https?:)/i))

/**
 * Finds hosts and e-mail addresses anywhere in a text, with or without a scheme. Sees through look-alike dots, `%2E`
 * and invisible characters. Without a scheme, a host must have a known ending (public suffix list).
 * @param path path of the link, in lower case: file names in it are not hosts
 */
export const findNamedHosts = (words: string, path: string): NamedHosts => {
  const readings = words.search(NARROW) !== -1 ? [words, words.replace(NARROW, '')] : [words]
  const named = readings.flatMap(splitWords).map((piece, place, pieces) => {
    const folded = fold(piece)
    if (!/[.:]/.test(folded)) return { found: [], isHiding: false }
    const found = findInWord(folded, { path, goesOn: /\p{L}/u.test(pieces[place + 1] ?? '') })
    return { found, isHiding: found.length > 0 && piece.replace(HARMLESS_INVISIBLE, '').search(INVISIBLE) !== -1 }
  })
  const all = named.flatMap(({ found }) => found)
  return {
    hosts: all.map(({ host }) => host),
    addresses: all.flatMap(({ address }) => address ?? []),
    isHiding: named.some(({ isHiding }) => isHiding),
  }
}
