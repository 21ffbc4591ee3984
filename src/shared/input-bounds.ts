/** More levels than any command's input has. A thread's stack, and a copy to another one, end at some thousands. */
const MAX_DEPTH = 16
/** Values in an input, at every level: the largest is a change of 1,000 threads. */
const MAX_VALUES = 20_000
/** Characters in all of an input's texts. */
const MAX_TEXT = 1024 * 1024

const isContainer = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Whether an input can be read, copied to another thread and checked by the contract at no great cost: plain data, no
 * deeper than 16 levels, of at most 20,000 values and 1 MB of text. Goes down no stack itself.
 */
export const isWithinBounds = (input: unknown): boolean => {
  let level: readonly unknown[] = [input]
  let values = 0
  let text = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string') text += value.length
      if (text > MAX_TEXT || typeof value === 'function' || typeof value === 'symbol') return false
      if (typeof value !== 'object' || value === null) continue
      if (!isContainer(value) || (Array.isArray(value) && value.length > MAX_VALUES)) return false
      const names = Object.keys(value)
      if (values + below.length + names.length > MAX_VALUES) return false
      for (const name of names) {
        text += name.length
        below.push((value as Readonly<Record<string, unknown>>)[name])
      }
    }
    level = below
  }
  return true
}
