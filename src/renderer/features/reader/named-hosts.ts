import { isHostName } from '../../ui/domain.ts'

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
const DOTS = /[\u0660\u06d4\u06f0\u0701\u0702\ua4f8]|(?<=[a-z\d])\u3002|\u3002(?=[a-z\d])/giu
const SLASHES = /[\u2044\u2215\u27cb\u29f8\u2571]/g
const COLONS = /[\u02d0\u02f8\u2236\ua789]/g

/** A text as an eye takes it and a browser's address line reads it. */
const fold = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(DOTS, '.')
    .replace(SLASHES, '/')
    .replace(COLONS, ':')
    // As a host is decoded (URL Standard, host parsing). A blank would part what stands together.
    .replace(/%(2[1-9a-f]|[3-6][\da-f]|7[\da-e])/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )

const SCHEME = /(?:https?|ftp|wss?):[/\\]*/i
const LABELS = /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]{1,63}(?:\.[\p{L}\p{N}\p{M}_-]{1,63})+/gu
/** Domains that are endings of files as well. */
const FILE = /\.(?:zip|mov|md|py|rs|sh|pl|ps|cc|so)$/i
/** Domains that a sentence begins with, where the blank behind a full stop was forgotten, and hours. */
const NO_HOST =
  /\p{Ll}\.(?:In|It|Is|At|To|My|Me|Be|So|No|As|Am|By|Do|Us|Now|New|One|Here|How|Click|Read|Help|Get|Call)$|^\d+\.[ap]m$/u

/** Characters. No mail server takes an address with a longer name (RFC 5321, 4.5.3.1), nor half of it. */
const LONGEST_NAME = 200

/** The host between `https://` and a path, and hosts that are put before its `@` to be taken for it. */
const hostsOfAuthority = (authority: string): readonly string[] => {
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1).replace(/:\d*$/, '')
  const before = at === -1 ? [] : [...authority.slice(0, at).matchAll(LABELS)].map(([name]) => name)
  return [...(host === '' ? [] : [host]), ...before.filter(isHostName)]
}

/** @param text without blanks and without a scheme */
const namedWithoutScheme = (text: string, path: string): Pick<Named, 'hosts' | 'addresses'> => {
  const hosts: string[] = []
  const addresses: string[] = []
  for (const { 0: match, index } of text.matchAll(LABELS)) {
    const name = match.replace(/^-+|-+$/g, '')
    const isOfAddress = text[index - 1] === '@'
    const isMarked = isOfAddress || /^www\d?\./i.test(name)
    const isFile = FILE.test(name) && path.includes(name.toLowerCase())
    // What stands before the @ of an e-mail address is somebody's name.
    const isName = text[index + match.length] === '@'
    if (!isMarked && (isName || !isHostName(name) || NO_HOST.test(name) || isFile)) continue
    hosts.push(name)
    if (isOfAddress)
      addresses.push(
        `${/[^\s@<>()[\]:;,"'/]*@$/.exec(text.slice(Math.max(0, index - LONGEST_NAME), index))?.[0] ?? ''}${name}`,
      )
    // What follows is a path, in which anything may stand.
    if (/^(?::\d+)?[/\\?#]/.test(text.slice(index + match.length, index + match.length + 8))) break
  }
  return { hosts, addresses: addresses.map((address) => address.toLowerCase()) }
}

/** @param text folded, without blanks */
const namedByPiece = (text: string, path: string): Pick<Named, 'hosts' | 'addresses'> => {
  const scheme = SCHEME.exec(text)
  if (scheme === null) return namedWithoutScheme(text, path)
  const { hosts, addresses } = namedWithoutScheme(text.slice(0, scheme.index), path)
  const rest = text.slice(scheme.index + scheme[0].length)
  const authority = /^[^/\\?#,;()<>[\]{}'’]*|^\[[^\]]*\]/.exec(rest)?.[0] ?? ''
  return { hosts: [...hosts, ...hostsOfAuthority(authority)], addresses }
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
  const pieces = readings.flatMap(piecesOf).filter((piece) => /[^\p{L}\p{M}\s]/u.test(piece))
  const named = pieces.map((piece) => {
    const { hosts, addresses } = namedByPiece(fold(piece), path)
    const isHiding = hosts.length > 0 && piece.replace(FORMS, '').search(UNSEEN) !== -1
    return { hosts, addresses, isHiding }
  })
  return {
    hosts: named.flatMap(({ hosts }) => hosts),
    addresses: named.flatMap(({ addresses }) => addresses),
    isHiding: named.some(({ isHiding }) => isHiding),
  }
}
