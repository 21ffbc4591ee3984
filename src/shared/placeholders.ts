/**
 * Placeholders in canned replies and signatures, filled on insertion. `{first_name}` becomes the first name,
 * `{first_name|there}` becomes “there” if the name is unknown, and `{property.company}` becomes a property of the
 * contact. `{{` is a literal brace. Other braces are text: `{}`, `{ a }` and `{"a":1}`. Templates use the platform's
 * own syntax: `{{{FIRST_NAME}}}`, `{{{company|your team}}}`.
 */
import type { TemplateVariable } from './templates.ts'

export const PLACEHOLDERS = {
  first_name: 'recipient’s first name',
  last_name: 'recipient’s last name',
  name: 'recipient’s full name',
  email: 'recipient’s address',
  subject: 'subject',
  sender_name: 'sender’s name',
  sender_email: 'sender’s address',
} as const
export type PlaceholderName = keyof typeof PLACEHOLDERS

const PROPERTY = 'property.'

/** Values to insert; null or blank means unknown. */
export interface PlaceholderValues extends Readonly<Record<PlaceholderName, string | null>> {
  /** The contact's properties by key (platform.md 18.2). */
  readonly properties: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Matches a literal brace, or a name with a property key and a fallback. Keys allow the characters that the platform
 * allows: letters, digits, `_`, `-`.
 */
const PATTERN = /\{\{|\{([a-z]\w*(?:\.[\w-]{1,100})?)(?:\|([^{}|\n]{0,200}))?\}/gi

const valueOf = (name: string, values: PlaceholderValues): string | null => {
  if (Object.hasOwn(PLACEHOLDERS, name)) return values[name as PlaceholderName]
  const key = name.startsWith(PROPERTY) ? name.slice(PROPERTY.length) : ''
  const value = Object.hasOwn(values.properties, key) ? values.properties[key] : null
  return value === null || value === undefined ? null : String(value)
}

/**
 * Fills placeholders. Unknown ones, and those with neither a value nor a fallback, stay visible.
 * @returns plain text: escape it for HTML
 */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(PATTERN, (whole: string, name?: string, fallback?: string) => {
    if (name === undefined) return '{'
    const value = valueOf(name, values)?.trim() ?? ''
    if (value !== '') return value
    const isKnown = Object.hasOwn(PLACEHOLDERS, name) || name.startsWith(PROPERTY)
    return isKnown && fallback !== undefined ? fallback : whole
  })

/** A template variable with its key and fallback. */
const VARIABLE = /\{\{\{\s*([\w.-]{1,100})\s*(?:\|([^{}|\n]{0,200}))?\}\}\}/g

const variableValue = (key: string, values: PlaceholderValues): string | null => {
  const name = key.replace(/^contact\./i, '')
  const known = name.toLowerCase()
  if (Object.hasOwn(PLACEHOLDERS, known)) return values[known as PlaceholderName]
  const property = name.replace(/^propert(?:y|ies)\./i, '')
  const keys = Object.keys(values.properties)
  const found =
    keys.find((each) => each === property) ?? keys.find((each) => each.toLowerCase() === property.toLowerCase())
  return found === undefined ? null : valueOf(`${PROPERTY}${found}`, values)
}

/**
 * Fills the variables of a template. `FIRST_NAME`, `EMAIL` and so on come from the contact, others from its property
 * with that key, ignoring case. Without a value, the text after the bar is used, then the template's fallback;
 * otherwise the variable stays.
 * @param write converts a value before it is inserted at `at` @returns plain text: escape it for HTML
 */
export const fillVariables = (
  text: string,
  values: PlaceholderValues,
  variables: readonly TemplateVariable[],
  write: (value: string, at: number) => string = (value) => value,
): string =>
  text.replace(VARIABLE, (whole: string, key: string, fallback: string | undefined, at: number) => {
    const declared = variables.find((variable) => variable.key === key)
    const value = variableValue(key, values)?.trim() ?? ''
    const isFit = value !== '' && (declared?.type !== 'number' || Number.isFinite(Number(value)))
    const filled = isFit ? value : (fallback ?? declared?.fallback ?? null)
    return filled === null ? whole : write(filled, at)
  })

export const findVariables = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([whole]) => whole)),
]

/** Characters that precede braces in code, such as in a URL path or a script variable. */
const BEFORE_CODE_BRACE = /[/$=]$/

/**
 * Unfilled placeholders of a message, each once, to ask the user about before sending. Skips code.
 * @param text the message as text, in which `{{` is no longer an escape
 */
export const findPlaceholders = (text: string): readonly string[] => {
  const rest = text.replace(VARIABLE, '\n')
  const found = [...rest.matchAll(PATTERN)].filter(
    ({ 1: name, index }) => name !== undefined && !BEFORE_CODE_BRACE.test(rest.slice(Math.max(0, index - 1), index)),
  )
  return [...findVariables(text), ...new Set(found.map(([whole]) => whole))]
}

/** First and last name from a display name: “Ann Lee”, “Lee, Ann”, “Ann”. */
export const splitDisplayName = (
  name: string | null,
): { readonly first: string | null; readonly last: string | null } => {
  const words = (name ?? '').trim()
  // An address is not a name.
  if (words === '' || words.includes('@')) return { first: null, last: null }
  const [family = '', given = '', ...more] = words.split(',').map((part) => part.trim())
  if (family !== '' && given !== '' && more.length === 0) return { first: given.split(/\s+/)[0] ?? null, last: family }
  const [first = null, ...rest] = words.split(/\s+/)
  return { first, last: rest.at(-1) ?? null }
}
