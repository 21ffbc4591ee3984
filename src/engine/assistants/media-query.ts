/** Assumed screen: light, size in pixels. */
const SCREEN = { width: 1000, height: 800 } as const

const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  em: 16,
  rem: 16,
  pt: 4 / 3,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
}

const lengthOf = (written: string): number | null => {
  const [, number = '', unit = ''] = /^([+-]?[\d.]+)([a-z]*)$/.exec(written.trim()) ?? []
  const factor = unit === '' ? 1 : UNITS[unit]
  return number === '' || factor === undefined ? null : Number(number) * factor
}

/** Keyword values of media features on a light screen with a mouse. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  'prefers-color-scheme': ['light'],
  'prefers-reduced-motion': ['no-preference'],
  'prefers-contrast': ['no-preference'],
  'forced-colors': ['none'],
  'inverted-colors': ['none'],
  orientation: ['landscape'],
  hover: ['hover'],
  'any-hover': ['hover'],
  pointer: ['fine'],
  'any-pointer': ['fine'],
  scripting: ['none'],
  update: ['fast'],
  'display-mode': ['browser'],
}

const compare = (sign: string, one: number, other: number): boolean =>
  sign.includes('=') && one === other ? true : sign.startsWith('<') ? one < other : sign.startsWith('>') && one > other

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=' }

const matchesFeature = (written: string): boolean => {
  const text = written.trim().toLowerCase()
  const range = /^(?:([^<>=]+?)\s*(<=?|>=?|=)\s*)?(width|height)\s*(?:(<=?|>=?|=)\s*([^<>=]+))?$/.exec(text)
  if (range !== null) {
    const [, before, first = '', side, second, behind] = range
    const own = side === 'width' ? SCREEN.width : SCREEN.height
    const [low, high] = [before, behind].map((end) => (end === undefined ? null : lengthOf(end)))
    const isOver =
      before === undefined || (low !== null && low !== undefined && compare(FLIPPED[first] ?? '', own, low))
    return isOver && (second === undefined || (high !== null && high !== undefined && compare(second, own, high)))
  }
  const [name = '', value = ''] = text.split(':').map((part) => part.trim())
  const sized = /^(min-|max-)?(?:device-)?(width|height)$/.exec(name)
  if (sized !== null) {
    const own = sized[2] === 'width' ? SCREEN.width : SCREEN.height
    const length = lengthOf(value)
    if (length === null) return value === ''
    return sized[1] === 'min-' ? own >= length : sized[1] === 'max-' ? own <= length : own === length
  }
  if (/^-webkit-min-device-pixel-ratio$/.test(name)) return Number(value) <= 1
  if (/^-webkit-max-device-pixel-ratio$/.test(name)) return Number(value) >= 1
  if (/^(?:color|min-color|monochrome|grid)$/.test(name)) return name.endsWith('color') && Number(value || 1) <= 8
  const words = KEYWORDS[name]
  return words !== undefined && (value === '' ? !words.includes('none') : words.includes(value))
}

/** Splits a text at a keyword or comma outside parentheses. */
const partsOf = (text: string, by: 'and' | 'or' | ','): readonly string[] => {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (const { 0: found, index } of text.matchAll(/[(),]|\b(?:and|or)\b/gi)) {
    if (found === '(') depth += 1
    else if (found === ')') depth -= 1
    else if (depth === 0 && found.toLowerCase() === by) {
      parts.push(text.slice(from, index))
      from = index + found.length
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim())
}

const MAX_DEPTH = 8

const matchesCondition = (written: string, depth: number): boolean => {
  const text = written.trim()
  if (depth > MAX_DEPTH) return false
  const either = partsOf(text, 'or')
  if (either.length > 1) return either.some((part) => matchesCondition(part, depth + 1))
  const both = partsOf(text, 'and')
  if (both.length > 1) return both.every((part) => matchesCondition(part, depth + 1))
  const negated = /^not\b(.*)$/is.exec(text)?.[1]
  if (negated !== undefined) return !matchesCondition(negated, depth + 1)
  const type = text.replace(/^only\s+/i, '').toLowerCase()
  if (type === 'all' || type === 'screen') return true
  const inner = /^\((.*)\)$/s.exec(text)?.[1]
  if (inner === undefined) return false
  return /^\s*(?:\(|not\b)/i.test(inner) ? matchesCondition(inner, depth + 1) : matchesFeature(inner)
}

/** Maximum characters of a query. Longer ones don't occur in mail. */
const MAX_QUERY_LENGTH = 1000

/** Evaluates an `@media` query for a light screen of 1,000 by 800 pixels (Media Queries 5). */
export const isScreenQuery = (query: string): boolean => {
  const text = query
    .slice(0, MAX_QUERY_LENGTH)
    .replace(/\/\*.*?\*\//gs, ' ')
    .trim()
  return (
    text === '' ||
    partsOf(text, ',').some((each) => {
      // `not screen and (…)` negates the complete query.
      const negated = /^not\s+([a-z].*)$/is.exec(each)?.[1]
      return negated === undefined ? matchesCondition(each, 0) : !matchesCondition(negated, 0)
    })
  )
}
