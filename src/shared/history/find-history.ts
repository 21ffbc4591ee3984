import {
  announcesAnswers,
  beginsHeader,
  HAS_DIGIT,
  HEADER_LINES,
  isForwardLine,
  isIntroduction,
  isOriginalLine,
  isPostscript,
  isProgramsLine,
  isSignatureMark,
} from './history-words.ts'

/** A line of an e-mail, or a part of it that its program has marked, in their order. */
export interface MessageLine {
  /**
   * `quote`: quoted, up to where it ends. `history`: from here on all is an earlier e-mail. `introduction`: what stands
   * above a quote. `text`: anything else, also what of these is known by its words alone.
   */
  readonly kind: 'text' | 'quote' | 'introduction' | 'signature' | 'history'
  /** Its beginning is enough. */
  readonly text: string
}

/** What of an e-mail is folded away: places among its lines. */
export interface Folds {
  /** From where on all is an earlier e-mail; null where there is none at the end. */
  readonly history: number | null
  /** Signatures, from a first line up to behind a last one, in their order and above the history. */
  readonly signatures: readonly { readonly from: number; readonly end: number }[]
}

const NOTHING: Folds = { history: null, signatures: [] }

/** What is longer is no signature, whatever stands above it. Of a line so long only the beginning may be known. */
const LONGEST_SIGNATURE = { lines: 16, characters: 1500, line: 500 } as const

const INTRODUCTION_LINES = 3

/** Space, what is never seen, and lines that are drawn with signs: nobody says anything by them. */
const SAYS_NOTHING = /^[\s\p{Cf}\p{M}\-_=*~.·•|–—]*$/u

/** Below such a line a mailing list says who it is. */
const LIST_LINE = /^_{20,}(?:\s|$)/

/** The lines that say something, below one, as many as a header may have. */
const textsBelow = (lines: readonly MessageLine[], isBlank: readonly boolean[], index: number): readonly string[] => {
  const texts: string[] = []
  for (
    let at = index + 1;
    at < lines.length && texts.length < HEADER_LINES && at <= index + 3 * HEADER_LINES;
    at += 1
  ) {
    if (isBlank[at] !== true) texts.push(lines[at]?.text ?? '')
  }
  return texts
}

/**
 * Finds what of an e-mail can be folded away: the earlier e-mails at its end, and signatures. Quotes that something was
 * answered below stay, as the answers cannot be read without them. What was forwarded stays: it is what the e-mail was
 * sent for. Where nothing would be left to read, nothing is folded. Linear in the number of lines.
 * @param isForward whether the e-mail says of itself that it carries another one
 */
export const findFolds = (lines: readonly MessageLine[], isForward: boolean): Folds => {
  const isBlank = lines.map(({ kind, text }) => kind === 'text' && SAYS_NOTHING.test(text))
  const areBlank = (from: number, to: number): boolean => isBlank.slice(from, to).every(Boolean)
  const isOf = (index: number, kind: MessageLine['kind']): boolean => lines[index]?.kind === kind

  /** From where on it is another e-mail that is carried, or an earlier one that is quoted without marks. */
  const end = lines.findIndex(({ kind, text }, index) => {
    if (kind === 'history') return true
    if (kind === 'quote' || isBlank[index] === true) return false
    if (isForwardLine(text) || isOriginalLine(text)) return true
    return kind === 'text' && beginsHeader(text, () => textsBelow(lines, isBlank, index))
  })
  const carriesAnother = isForward || (end !== -1 && isForwardLine(lines[end]?.text ?? ''))
  const last = end === -1 ? lines.length : end

  // What stands right above a quote and says whose it is belongs to it.
  const introductions = new Set<number>()
  for (let index = 0; index < last; index += 1) {
    if (!isOf(index, 'quote') || isOf(index - 1, 'quote')) continue
    let words = ''
    const places: number[] = []
    for (let above = index - 1; above >= 0 && places.length < INTRODUCTION_LINES; above -= 1) {
      if (isBlank[above] === true) {
        if (index - above > 2 * INTRODUCTION_LINES) break
        continue
      }
      if (!isOf(above, 'text') && !isOf(above, 'introduction')) break
      places.push(above)
      words = `${lines[above]?.text ?? ''} ${words}`
      if (!isOf(above, 'introduction') && !isIntroduction(words)) continue
      // "On Friday at 10:12, Ada Quill", and only in the next line "wrote:".
      const isRest = isOf(above, 'text') && !HAS_DIGIT.test(words) && isOf(above - 1, 'text')
      if (isRest && HAS_DIGIT.test(lines[above - 1]?.text ?? '')) places.push(above - 1)
      for (const place of places) introductions.add(place)
      break
    }
  }

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
    if (kind !== 'text' || (!isList && !isSignatureMark(text))) continue
    let until = index + 1
    const furthest = Math.min(last, index + 4 * LONGEST_SIGNATURE.lines)
    while (until < furthest && isOf(until, 'text') && !introductions.has(until)) until += 1
    const said = lines.slice(index + 1, until).filter((_, place) => isBlank[index + 1 + place] !== true)
    const characters = said.reduce((sum, line) => sum + line.text.length, 0)
    const isLong =
      said.length > LONGEST_SIGNATURE.lines ||
      characters > LONGEST_SIGNATURE.characters ||
      said.some((line) => line.text.length >= LONGEST_SIGNATURE.line || isPostscript(line.text))
    // A mark above what a program has marked itself belongs to that.
    if (isLong || (until === furthest && until < last) || (said.length === 0 && !isOf(until, 'signature'))) continue
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
    if (isSaid && !isSigned.has(index) && !isProgramsLine(text)) lastSaid = index
    // In an earlier e-mail without marks nothing tells answers from what they answer.
    if (isSaid && end !== -1 && announcesAnswers(text)) isAnsweredBelow = true
  }
  if (lastSaid === -1) return NOTHING
  const isQuoted = (index: number): boolean => isOf(index, 'quote') || introductions.has(index)
  const firstQuoted = lines.findIndex((_, index) => index > lastSaid && index < last && isQuoted(index))
  const begins = firstQuoted !== -1 ? firstQuoted : end
  // "I got this from them:", and the e-mail, or the words, that it is about.
  const aboveIt = lines.findLast((_, index) => index < begins && isBlank[index] !== true)
  const isPresented = aboveIt?.kind === 'text' && !isOf(begins, 'history') && /[:：]\s*$/u.test(aboveIt.text)
  const stays = carriesAnother || isAnsweredBelow || isPresented || begins === -1
  let history = stays ? null : begins
  // The rule above it, and space, belong to it.
  while (history !== null && isBlank[history - 1] === true) history -= 1
  // Below a signature nothing more is said.
  const upTo = history ?? lines.length
  return {
    history,
    signatures: signatures.flatMap(({ from, end: behind }) =>
      from > lastSaid && from < upTo ? [{ from, end: Math.min(behind, upTo) }] : [],
    ),
  }
}
