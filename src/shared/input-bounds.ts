import { MAX_PICTURE_URI_CHARS } from './attachments.ts'

/** Deeper than the input of any command. Recursion and copying to another thread fail at some thousands of levels. */
const MAX_DEPTH = 16

interface InputBounds {
  readonly values: number
  /** Number of UTF-16 units in all strings of an input. */
  readonly text: number
}

/** Bounds for most commands. The largest input is a change of 1,000 threads. */
const DEFAULT_INPUT_BOUNDS: InputBounds = { values: 20_000, text: 1024 * 1024 }
/** Bounds for a draft with all of its quoted text and recipients (`DRAFT_BOUNDS`). */
const DRAFT_INPUT_BOUNDS: InputBounds = { values: 300_000, text: 50_000_000 }

/** Bounds for saving a picture: a picture embedded in the HTML is passed as its own `data:` address. */
const PICTURE_INPUT_BOUNDS: InputBounds = { values: 100, text: MAX_PICTURE_URI_CHARS + 10_000 }

export const getInputBounds = (name: string): InputBounds => {
  if (name === 'picture.save') return PICTURE_INPUT_BOUNDS
  return /^draft\.(?:create|save)$/.test(name) ? DRAFT_INPUT_BOUNDS : DEFAULT_INPUT_BOUNDS
}

/** In UTF-16 units. Longest request to the host as JSON, which escapes some characters with several. */
export const MAX_REQUEST_LENGTH = 2 * DRAFT_INPUT_BOUNDS.text

export const INPUT_TOO_LARGE_MESSAGE = 'Too much data at once. Nothing was changed. Try a smaller amount.'

const isContainer = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * True if an input is cheap to read, to copy to another thread and to validate: plain data, at most 16 levels deep,
 * within the bounds for values and text. The check doesn't recurse, so deep input can't overflow the stack.
 */
export const isWithinBounds = (input: unknown, bounds: InputBounds = DEFAULT_INPUT_BOUNDS): boolean => {
  let level: readonly unknown[] = [input]
  let values = 0
  let text = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > MAX_DEPTH || values > bounds.values) return false
    const below: unknown[] = []
    for (const value of level) {
      if (typeof value === 'string') text += value.length
      if (text > bounds.text || typeof value === 'function' || typeof value === 'symbol') return false
      if (typeof value !== 'object' || value === null) continue
      if (!isContainer(value) || (Array.isArray(value) && value.length > bounds.values)) return false
      const names = Object.keys(value)
      if (values + below.length + names.length > bounds.values) return false
      for (const name of names) {
        text += name.length
        below.push((value as Readonly<Record<string, unknown>>)[name])
      }
    }
    level = below
  }
  return true
}
