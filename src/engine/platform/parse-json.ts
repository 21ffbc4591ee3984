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
