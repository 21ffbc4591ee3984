/** A piece of a line: words, or a link with the address that it opens. */
export interface TextPiece {
  readonly text: string
  readonly href: string | null
}

/** Consecutive lines of one kind. A quote is what an earlier e-mail said, without its marks. */
export interface TextBlock {
  readonly kind: 'text' | 'quote' | 'signature'
  readonly lines: readonly (readonly TextPiece[])[]
}

const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gi
/** Punctuation that ends the sentence, not the address. A closing bracket belongs to the address that opened it. */
const TRAILING = /[.,;:!?'*_]+$/

const trimLink = (found: string): string => {
  const plain = found.replace(TRAILING, '')
  const isUnopened = plain.endsWith(')') && !plain.includes('(')
  return isUnopened ? plain.slice(0, -1).replace(TRAILING, '') : plain
}

/** Finds web and e-mail addresses in a line. */
export const linkify = (line: string): readonly TextPiece[] => {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of line.matchAll(LINK)) {
    const text = trimLink(match[0])
    if (match.index > end) pieces.push({ text: line.slice(end, match.index), href: null })
    pieces.push({ text, href: /^(?:https?|mailto):/i.test(text) ? text : `mailto:${text}` })
    end = match.index + text.length
  }
  if (end < line.length || pieces.length === 0) pieces.push({ text: line.slice(end), href: null })
  return pieces
}

type Kind = TextBlock['kind']

const FORWARDED = /^\s*-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht)\b/i

const SIGNATURE_MARK = '-- '

/** Says of each line what it is; the rules of RFC 3676 (`>`, `-- `) and the habits of common mail programs. */
const kindsOf = (lines: readonly string[]): readonly Kind[] => {
  let below: Kind = 'text'
  const kinds = lines.map((line): Kind => {
    if (FORWARDED.test(line)) below = 'quote'
    else if (line === SIGNATURE_MARK && below === 'text') below = 'signature'
    return below !== 'quote' && line.startsWith('>') ? 'quote' : below
  })
  // "On Monday, Ada wrote:" belongs to the quote below it, as do the blank lines between.
  return kinds.map((kind, index) => {
    if (kind !== 'text') return kind
    const next = lines.findIndex((line, other) => other > index && line.trim() !== '')
    const introducesQuote = next !== -1 && kinds[next] === 'quote' && lines[next]?.startsWith('>') === true
    const line = lines[index]?.trim() ?? ''
    const isIntroduction = line === '' || line.endsWith(':')
    return introducesQuote && isIntroduction ? 'quote' : kind
  })
}

const unquote = (line: string): string => line.replace(/^>\s?/, '')

/** Space between blocks is the style sheet's; a blank line at a block's edge would add to it. */
const withoutOuterBlanks = (block: TextBlock): TextBlock => {
  const isBlank = (line: readonly TextPiece[]): boolean => line.every((piece) => piece.text.trim() === '')
  const first = block.lines.findIndex((line) => !isBlank(line))
  const last = block.lines.findLastIndex((line) => !isBlank(line))
  return { ...block, lines: first === -1 ? [] : block.lines.slice(first, last + 1) }
}

/** Takes the text of an e-mail apart into what it says, what it quotes and its signature. */
export const parsePlainText = (text: string): readonly TextBlock[] => {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\s+$/, '').split('\n')
  const kinds = kindsOf(lines)
  const blocks = lines.reduce<{ kind: Kind; lines: (readonly TextPiece[])[] }[]>((found, line, index) => {
    const kind = kinds[index] ?? 'text'
    if (line === SIGNATURE_MARK && kind === 'signature') return found
    const pieces = linkify(kind === 'quote' ? unquote(line) : line)
    const last = found.at(-1)
    if (last?.kind === kind) last.lines.push(pieces)
    else found.push({ kind, lines: [pieces] })
    return found
  }, [])
  return blocks.map(withoutOuterBlanks).filter(({ lines: kept }) => kept.length > 0)
}
