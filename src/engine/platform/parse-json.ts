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

/** Parses every complete member of a truncated JSON text, in linear time. @returns undefined if nothing is complete */
export const parseTruncatedJson = (text: string): unknown => {
  /** Open containers at the end of the last complete value: opening or closing one always ends a value. */
  const open: string[] = []
  let whole: number | null = null
  /** In an object, a string is a value only after its colon. */
  let isValue = true
  let at = 0
  const isDone = (end: number): void => {
    if (isValue) whole = end
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '"') {
      let end = at + 1
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
      if (end >= text.length) break
      isDone(end + 1)
      at = end + 1
      continue
    }
    if (character === '{' || character === '[') {
      open.push(character)
      isValue = true
      // So far, an open container counts as complete.
      isDone(at + 1)
      isValue = character === '['
    } else if (character === '}' || character === ']') {
      if (open.pop() === undefined) break
      isValue = true
      isDone(at + 1)
    } else if (character === ':') {
      isValue = true
    } else if (character === ',') {
      isValue = open.at(-1) === '['
    } else if (/[\w.+-]/.test(character)) {
      let end = at
      while (end < text.length && /[\w.+-]/.test(text[end] ?? '')) end += 1
      // A number or word at the cut may continue beyond it.
      if (end >= text.length) break
      isDone(end)
      at = end
      continue
    }
    at += 1
  }
  const last = whole as number | null
  if (last === null) return undefined
  try {
    return parseJson(
      text.slice(0, last) +
        open
          .toReversed()
          .map((each) => CLOSERS[each])
          .join(''),
    )
  } catch {
    return undefined
  }
}
