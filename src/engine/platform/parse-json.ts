/** Deeper than any response (platform.md 21.3: five, with the envelope). */
const MAX_LEVELS = 64

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Parses untrusted JSON and nulls anything deeper than 64 levels, without recursion. `JSON.parse` has no limit, but
 * stringifying or cloning fails at a few thousand.
 * @throws SyntaxError for invalid JSON
 */
export const parseJson = (text: string): unknown => {
  const parsed: unknown = JSON.parse(text)
  let level = isContainer(parsed) ? [parsed] : []
  for (let depth = 1; level.length > 0; depth += 1) {
    const below: Record<string, unknown>[] = []
    for (const container of level) {
      for (const name of Object.keys(container)) {
        const value = container[name]
        if (!isContainer(value)) continue
        if (depth === MAX_LEVELS) container[name] = null
        else below.push(value)
      }
    }
    level = below
  }
  return parsed
}

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' }
/** A string with its closing quote, if any; punctuation; a number or word. */
const TOKEN = /"(?:[^"\\]+|\\[^]?)*("?)|[{}[\]:,]|[\w.+-]+/g

/** Parses every complete member of a truncated JSON text, in linear time. @returns undefined if nothing is complete */
export const parseTruncatedJson = (text: string): unknown => {
  /** Closing brackets of the containers that are open at the end of the last complete value. */
  const closers: string[] = []
  let whole = 0
  /** In an object, a string is a value only after its colon. */
  let isValue = true
  for (const { 0: token, 1: quote, index } of text.matchAll(TOKEN)) {
    const end = index + token.length
    const closer = CLOSERS[token]
    // A number or word at the cut may continue beyond it.
    if (quote === '' || (end === text.length && /^[\w.+-]/.test(token))) break
    if (closer !== undefined) closers.push(closer)
    else if (token === closers.at(-1)) closers.pop()
    // So far, an open container counts as complete.
    if (closer !== undefined || '}]'.includes(token) || (isValue && !':,'.includes(token))) whole = end
    if (token === ',') isValue = closers.at(-1) === ']'
    else if (closer !== undefined || '}]:'.includes(token)) isValue = token !== '{'
  }
  try {
    return parseJson(text.slice(0, whole) + closers.toReversed().join(''))
  } catch {
    return undefined
  }
}
