/** More levels than any answer of the platform has (contract, "Received email": five, with the envelope). */
const MAX_LEVELS = 64

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Reads JSON that a stranger may have nested, as mail may: what lies deeper than 64 levels is null. `JSON.parse` itself
 * has no such bound, while writing the same value again, or sending it to another thread, ends at some thousands.
 * Goes down no stack itself.
 * @throws SyntaxError where the text is no JSON
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
