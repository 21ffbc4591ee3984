import { isHostName } from '../../ui/domain.ts'
import { asLatin } from '../../ui/look-alike.ts'

/** What some words say that they lead to. */
export interface Named {
  readonly hosts: readonly string[]
  /** E-mail addresses, in lower case. */
  readonly addresses: readonly string[]
  /** Whether something that draws nothing stands within one of them. */
  readonly isHiding: boolean
}

/** Characters that draw nothing, or steer how their neighbours are drawn (Unicode, Default_Ignorable_Code_Point), and controls. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex -- what is not seen is what it is about
  /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufff9-\ufffb]/gu
/** Selectors of a sign's form as text or as emoji, and what joins emoji: common, and no disguise. */
const FORMS = /\u200d|\ufe0e|\ufe0f/g
/** Blanks that part words. A zero width no-break space, which draws nothing, is none. */
const BLANKS = /[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
/** Blanks so narrow that a word seems to go on behind them. */
const NARROW = /[\u2006\u2008-\u200a\u202f\u205f]/g

/** Full stops of other scripts that look like ours. The full width one is folded by NFKC; the ideographic one ends sentences. */
const DOTS = /[\u0660\u06d4\u06f0\u0701\u0702\ua4f8]|\u3002(?=[a-z\d])/giu
const SLASHES = /[\u2044\u2215\u27cb\u29f8\u2571\u1735\u3033]/g
const COLONS = /[\u02d0\u02f8\u0589\u05c3\u2236\ua789]/g
/** Where words were cut off, and small signs behind a name: they are drawn, and no part of it. */
const ASIDES = /\u2026|\.{2,}|[\u2120\u2122\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]/g
/** Scripts that a name in Latin letters is written into without a blank, and none of whose letters pass for Latin ones. */
const OTHER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Hebrew}\\p{Script=Arabic}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}' +
  '\\p{Script=Gujarati}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Ethiopic}]'
const SEAMS = new RegExp(`(?<=${OTHER}[-ー]?)(?=[a-z\\d])|(?<=[a-z\\d])(?=-?${OTHER})`, 'giu')

/** A text as an eye takes it and a browser's address line reads it. */
const fold = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(ASIDES, '\n')
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(SLASHES, '/')
    .replace(COLONS, ':')
    .replace(SEAMS, '\n')
    // As a host is decoded (URL Standard, host parsing). A blank would part what stands together.
    .replace(/%(2[1-9a-f]|[3-6][\da-f]|7[\da-e])/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )

const SCHEME = /(?:https?|ftp|wss?):[/\\]*/i
const LABELS = /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63})+/gu
/** Domains that are endings of files as well. */
const FILE = /\.(?:zip|mov|md|py|rs|sh|pl|ps|cc|so|ai|cab|dot|mk|ml|pm|pub|tf)$/i
/** Files by their names alone: few sites are called so, and a file may be anywhere. */
const SURE_FILE = /\.(?:zip|mov|pub)$|^(?:readme|changelog|contributing|license|security|todo)\.md$/i
/** Hours, and domains that are ends of abbreviations, of names of firms, and of what programs are made of. */
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
/** Domains that a sentence begins with, where the blank behind a full stop was forgotten. */
const SENTENCE =
  /\p{Ll}\.(?:In|It|Is|At|To|My|Me|Be|So|No|As|Am|By|Do|Us|Now|New|One|Here|How|Click|Read|Help|Get|Call)$/u
/** The same, by its capital alone, where more is said behind it. */
const GOES_ON = /^\p{Ll}+\.(?!Com$|Net$|Org$|Info$|Biz$|Edu$|Gov$)\p{Lu}\p{Ll}+$/u

/** Characters. No mail server takes an address with a longer name (RFC 5321, 4.5.3.1), nor half of it. */
const LONGEST_NAME = 200

/** What a piece of words is held against. */
interface Beside {
  /** Of the link, in lower case. */
  readonly path: string
  /** Whether another word follows. */
  readonly goesOn: boolean
}

/** A name without what is written on to it (`bank.example-Team`), in letters that end a host. Null where it is none. */
const hostOf = (name: string): string | null => {
  const whole = name.replace(/^[-_]+|[-_]+$/g, '')
  const bare = /^(.*\.\p{L}+)-[\p{L}\p{M}\p{N}-]*$/u.exec(whole)?.[1]
  for (const each of bare === undefined ? [whole] : [whole, bare]) {
    if (isHostName(each)) return each
    // Such a domain does not exist, but for an eye it is one that does.
    const latin = asLatin(each)
    if (latin !== each.toLowerCase() && isHostName(latin)) return latin
  }
  return null
}

/** The host between `https://` and a path, and hosts that are put before its `@` to be taken for it. */
const hostsOfAuthority = (authority: string): readonly string[] => {
  const at = authority.lastIndexOf('@')
  const [name = ''] = /^\[[^\]]*\]?|^[\p{L}\p{N}\p{M}._%-]*/u.exec(authority.slice(at + 1)) ?? []
  const isCut = authority.endsWith('\n')
  const host = /^(?:www\d?)?\.*$/i.test(name) || (isCut && hostOf(name) === null) ? null : (hostOf(name) ?? name)
  const before = at === -1 ? [] : [...authority.slice(0, at).matchAll(LABELS)].map(([each]) => each)
  return [...(host === null ? [] : [host.replace(/[-_]+$/, '')]), ...before.filter(isHostName)]
}

/** @param text without blanks and without a scheme */
const namedWithoutScheme = (text: string, { path, goesOn }: Beside): Pick<Named, 'hosts' | 'addresses'> => {
  const hosts: string[] = []
  const addresses: string[] = []
  for (const { 0: match, index } of text.matchAll(LABELS)) {
    const known = hostOf(match)
    const name = known ?? match.replace(/^[-_]+|[-_]+$/g, '')
    const behind = text.slice(index + match.length, index + match.length + 8)
    const isOfAddress = text[index - 1] === '@'
    const isMarked = (isOfAddress && !/\.\d+$/.test(name)) || /^www\d?\./i.test(name)
    const isInPath = path.includes(name.toLowerCase()) || /[^/]\/$/.test(text.slice(0, index))
    const isFile = (SURE_FILE.test(name) && !behind.startsWith('/')) || (FILE.test(name) && isInPath)
    const isSaid = NO_HOST.test(name) || SENTENCE.test(name) || (goesOn && GOES_ON.test(name))
    // What stands before the @ of an e-mail address is somebody's name.
    const isName = behind.startsWith('@')
    if (!isMarked && (isName || known === null || isSaid || isFile)) continue
    hosts.push(name)
    if (isOfAddress) {
      const local = /[^\s@<>()[\]:;,"/]*@$/.exec(text.slice(Math.max(0, index - LONGEST_NAME), index))?.[0] ?? ''
      addresses.push(`${local.replace(/^'+/, '')}${name}`)
    }
    // What follows is a path, in which anything may stand.
    if (/^(?::\d+)?[/\\?#]/.test(behind)) break
  }
  return { hosts, addresses: addresses.map((address) => address.toLowerCase()) }
}

/** @param text folded, without blanks */
const namedByPiece = (text: string, beside: Beside): Pick<Named, 'hosts' | 'addresses'> => {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return namedWithoutScheme(text, beside)
  const { hosts, addresses } = namedWithoutScheme(text.slice(0, scheme.index), beside)
  const rest = text.slice(scheme.index + scheme[0].length)
  const authority = /^[^/\\?#,;()<>[\]{}'’\n]*\n?|^\[[^\]]*\]/.exec(rest)?.[0] ?? ''
  const named = hostsOfAuthority(authority)
  // What stands in the place of the slashes is a letter of another script.
  const further = named.length > 0 ? { hosts: named, addresses: [] } : namedWithoutScheme(rest, beside)
  return { hosts: [...hosts, ...further.hosts], addresses: [...addresses, ...further.addresses] }
}

const piecesOf = (words: string): readonly string[] =>
  // Addresses in a row without a blank between are several; one in the path of another is a part of it.
  words.split(BLANKS).flatMap((word) => word.split(/[<>"“”„«»|]|[,;](?=https?:)/i))

/**
 * Finds the hosts and the e-mail addresses that words name: anywhere in them, with a scheme or without, also where their
 * dots are another script's, where they are written with `%2E`, and where something that cannot be seen parts them. A name
 * without a scheme is a host where it ends as hosts do (public suffix list).
 * @param path of the link, in lower case: the name of a file in it is no host
 */
export const namedHosts = (words: string, path: string): Named => {
  const readings = words.search(NARROW) !== -1 ? [words, words.replace(NARROW, '')] : [words]
  const named = readings.flatMap(piecesOf).map((piece, place, pieces) => {
    const folded = fold(piece)
    if (!/[.:]/.test(folded)) return { hosts: [], addresses: [], isHiding: false }
    const { hosts, addresses } = namedByPiece(folded, { path, goesOn: /\p{L}/u.test(pieces[place + 1] ?? '') })
    const isHiding = hosts.length > 0 && piece.replace(FORMS, '').search(UNSEEN) !== -1
    return { hosts, addresses, isHiding }
  })
  return {
    hosts: named.flatMap(({ hosts }) => hosts),
    addresses: named.flatMap(({ addresses }) => addresses),
    isHiding: named.some(({ isHiding }) => isHiding),
  }
}
