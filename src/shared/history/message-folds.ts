import {
  announcesInlineReplies,
  startsQuotedHeader,
  HAS_DIGIT,
  MAX_HEADER_LINES,
  isForwardLine,
  isAttribution,
  isOriginalMessageLine,
  isPostscript,
  isMailProgramLine,
  isSignature,
  isSignatureDelimiter,
  looksLikeCode,
  quoteDepth,
} from './history-terms.ts'

/** A line of an e-mail, or a part marked by the mail program. */
export interface MessageLine {
  /**
   * `quote`: quoted, up to its end. `history`: everything from this line on is an earlier e-mail. `introduction`: the
   * line above a quote. `text`: anything else, including lines that are recognised as one of the other kinds only by
   * their wording or by `>`.
   */
  readonly kind: 'text' | 'quote' | 'introduction' | 'signature' | 'history'
  /** The text of the line; its first characters are enough. */
  readonly text: string
}

/** Parts of an e-mail to fold away, as line numbers. */
export interface Folds {
  /** First line of the earlier e-mails at the end, or null. */
  readonly history: number | null
  /** Signatures above the history, in order; `end` is exclusive. */
  readonly signatures: readonly { readonly from: number; readonly end: number }[]
  /** Lines of text that start with `>` and are quotes, not code. */
  readonly quoted: ReadonlySet<number>
}

/**
 * Limits of a signature: longer text is not a signature, even after a signature mark. Lines of `line` characters may
 * have been cut off.
 */
const SIGNATURE_LIMITS = { lines: 16, characters: 1500, line: 500 } as const

const INTRODUCTION_LINES = 3

/** Matches lines without content: white space, invisible characters or drawn rules. */
const BLANK_LINE = /^[\s\p{Cf}\p{M}\-_=*~.·•|–—]*$/u

/** The line above a mailing list's footer. */
const LIST_LINE = /^_{20,}(?:\s|$)/

/** Lines with content below a line, at most as many as a header can have. */
const textsBelow = (lines: readonly MessageLine[], isBlank: readonly boolean[], index: number): readonly string[] => {
  const texts: string[] = []
  for (
    let at = index + 1;
    at < lines.length && texts.length < MAX_HEADER_LINES && at <= index + 3 * MAX_HEADER_LINES;
    at += 1
  ) {
    if (isBlank[at] !== true) texts.push(lines[at]?.text ?? '')
  }
  return texts
}

/** Lines of the introduction directly above a quote, from the bottom up. */
const introductionAbove = (
  lines: readonly MessageLine[],
  isBlank: readonly boolean[],
  quote: number,
): readonly number[] => {
  let words = ''
  const places: number[] = []
  for (let above = quote - 1; above >= 0 && places.length < INTRODUCTION_LINES; above -= 1) {
    const { kind, text } = lines[above] ?? { kind: 'quote', text: '' }
    if (isBlank[above] === true) {
      if (quote - above > 2 * INTRODUCTION_LINES) break
      continue
    }
    if (kind !== 'text' && kind !== 'introduction') break
    places.push(above)
    words = `${text} ${words}`
    if (kind === 'text' && !isAttribution(words)) continue
    // For an introduction such as "On Friday at 10:12, Ada Quill", with "wrote:" only on the next line.
    const before = kind === 'text' && !HAS_DIGIT.test(words) ? lines[above - 1] : undefined
    return before?.kind === 'text' && HAS_DIGIT.test(before.text) ? [...places, above - 1] : places
  }
  return []
}

/**
 * Lines that start with `>` and are certainly quoted: introduced, at the start, below another quote, or of several
 * depths. Others may be a prompt, a redirection, a menu or a comparison.
 */
const findQuotedLines = (lines: readonly MessageLine[], isBlank: readonly boolean[]): ReadonlySet<number> => {
  const quoted = new Set<number>()
  const begins = isBlank.indexOf(false)
  const isMarked = (index: number): boolean => lines[index]?.kind === 'text' && lines[index].text.startsWith('>')
  for (let from = 0, end = 0; from < lines.length; from = Math.max(end, from + 1)) {
    if (!isMarked(from)) continue
    for (end = from + 1; isMarked(end);) end += 1
    const run = lines.slice(from, end).map(({ text }) => text)
    const isLikely = quoted.size > 0 || from === begins || new Set(run.map((line) => quoteDepth(line))).size > 1
    const isQuote = introductionAbove(lines, isBlank, from).length > 0 || (isLikely && !looksLikeCode(run))
    for (let index = from; isQuote && index < end; index += 1) quoted.add(index)
  }
  return quoted
}

/**
 * Finds earlier e-mails at the end, and signatures, where that is certain. Keeps quotes that have replies below them
 * (the reply needs the context) and forwarded mail (the point of the e-mail). Folds nothing if nothing would be left.
 * Linear in the number of lines.
 * @param isForward true if the e-mail declares itself a forward
 */
export const findFolds = (all: readonly MessageLine[], isForward: boolean): Folds => {
  const isBlank = all.map(({ kind, text }) => kind === 'text' && BLANK_LINE.test(text))
  const areBlank = (from: number, to: number): boolean => isBlank.slice(from, to).every(Boolean)
  const quoted = findQuotedLines(all, isBlank)
  const lines = all.map((line, index): MessageLine => (quoted.has(index) ? { ...line, kind: 'quote' } : line))
  const isOf = (index: number, kind: MessageLine['kind']): boolean => lines[index]?.kind === kind

  /** First line of an attached or forwarded e-mail in the text, or of an earlier one quoted without marks. */
  const end = lines.findIndex(({ kind, text }, index) => {
    if (kind === 'history') return true
    if (kind === 'quote' || isBlank[index] === true) return false
    if (isForwardLine(text) || isOriginalMessageLine(text)) return true
    return kind === 'text' && startsQuotedHeader(text, () => textsBelow(lines, isBlank, index))
  })
  const carriesAnother = isForward || (end !== -1 && isForwardLine(lines[end]?.text ?? ''))
  const last = end === -1 ? lines.length : end

  const introductions = new Set<number>()
  for (let index = 0; index < last; index += 1) {
    if (!isOf(index, 'quote') || isOf(index - 1, 'quote')) continue
    for (const place of introductionAbove(lines, isBlank, index)) introductions.add(place)
  }

  const isDelimiter = ({ kind, text }: MessageLine): boolean => kind === 'text' && isSignatureDelimiter(text)
  const isOnlyOne = lines.slice(0, last).filter(isDelimiter).length === 1
  const signatures: { from: number; end: number }[] = []
  for (let index = 0; index < last; index += 1) {
    if (isOf(index, 'signature')) {
      const above = signatures.at(-1)
      if (above?.end === index) above.end = index + 1
      else signatures.push({ from: index, end: index + 1 })
      continue
    }
    const { kind, text } = lines[index] ?? { kind: 'text', text: '' }
    const isBelowQuote = [1, 2, 3].some((up) => isOf(index - up, 'quote') && areBlank(index - up + 1, index))
    const isList = LIST_LINE.test(text) && isBelowQuote
    if (kind !== 'text' || (!isList && !isSignatureDelimiter(text))) continue
    let until = index + 1
    const furthest = Math.min(last, index + 4 * SIGNATURE_LIMITS.lines)
    while (until < furthest && isOf(until, 'text') && !introductions.has(until)) until += 1
    const said = lines.slice(index + 1, until).filter((_, place) => isBlank[index + 1 + place] !== true)
    const characters = said.reduce((sum, line) => sum + line.text.length, 0)
    const isLong =
      said.length > SIGNATURE_LIMITS.lines ||
      characters > SIGNATURE_LIMITS.characters ||
      said.some((line) => line.text.length >= SIGNATURE_LIMITS.line || isPostscript(line.text))
    // A mark directly above a signature that the mail program has marked belongs to that signature.
    if (isLong || (until === furthest && until < last)) continue
    const context = {
      above: lines[[1, 2, 3].map((up) => index - up).find((place) => isBlank[place] === false) ?? -1]?.text ?? '',
      isApart: isBlank[index - 1] === true,
      isOnlyOne,
    }
    const words = said.map((line) => line.text)
    if (said.length === 0 ? !isOf(until, 'signature') : !isList && !isSignature(text, words, context)) continue
    signatures.push({ from: index, end: until })
    index = until - 1
  }

  const isSigned = new Set<number>()
  for (const { from, end: behind } of signatures) for (let at = from; at < behind; at += 1) isSigned.add(at)
  let lastSaid = -1
  let isAnsweredBelow = false
  for (let index = 0; index < last; index += 1) {
    const { kind, text } = lines[index] ?? { kind: 'quote', text: '' }
    const isSaid = (kind === 'text' || kind === 'introduction') && isBlank[index] !== true && !introductions.has(index)
    if (isSaid && !isSigned.has(index) && !isMailProgramLine(text)) lastSaid = index
    // In an earlier e-mail without quote marks, replies look like the rest of the text.
    if (isSaid && end !== -1 && announcesInlineReplies(text)) isAnsweredBelow = true
  }
  if (lastSaid === -1) return { history: null, signatures: [], quoted }
  const isQuoted = (index: number): boolean => isOf(index, 'quote') || introductions.has(index)
  const firstQuoted = lines.findIndex((_, index) => index > lastSaid && index < last && isQuoted(index))
  const begins = firstQuoted !== -1 ? firstQuoted : end
  // For example "I got this from them:", followed by the e-mail or text in question.
  const aboveIt = lines.findLast((_, index) => index < begins && isBlank[index] !== true)
  const isPresented = aboveIt?.kind === 'text' && !isOf(begins, 'history') && /[:：]\s*$/u.test(aboveIt.text)
  const stays = carriesAnother || isAnsweredBelow || isPresented || begins === -1
  let history = stays ? null : begins
  // White space and a rule directly above the history belong to it.
  while (history !== null && isBlank[history - 1] === true) history -= 1
  // A signature that reaches into the history is cut off where the history starts.
  const upTo = history ?? lines.length
  return {
    history,
    quoted,
    signatures: signatures.flatMap(({ from, end: behind }) =>
      from > lastSaid && from < upTo ? [{ from, end: Math.min(behind, upTo) }] : [],
    ),
  }
}
