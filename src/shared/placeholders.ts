/**
 * Placeholders: what stands in a canned reply or a signature for words that are known only when it is put in.
 *
 * `{first_name}` is filled with the first name; `{first_name|there}` with “there” where that is not known;
 * `{property.company}` with a property of the contact. `{{` is a brace that is written as it is. Anything else in braces is
 * text: `{}`, `{ a }` and `{"a":1}` are none.
 *
 * Templates of the platform have variables in the platform's own braces instead: `{{{FIRST_NAME}}}`, `{{{company|your team}}}`.
 */
import type { TemplateVariable } from './templates.ts'

/** The placeholders that every message has, and what they stand for. */
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

/** Before the key of a contact's property. */
const PROPERTY = 'property.'

/** What is known when words are put in: null, or nothing but spaces, counts as not known. */
export interface PlaceholderValues extends Readonly<Record<PlaceholderName, string | null>> {
  /** Of the contact, by their keys (contract, Contact). */
  readonly properties: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * A brace that is meant as one, or a placeholder: a name, for a property its key after a dot, and what stands in for it. A key
 * has what platforms take in one: letters, digits, `_` and `-`.
 */
const PATTERN = /\{\{|\{([a-z]\w*(?:\.[\w-]{1,100})?)(?:\|([^{}|\n]{0,200}))?\}/gi

const valueOf = (name: string, values: PlaceholderValues): string | null => {
  if (Object.hasOwn(PLACEHOLDERS, name)) return values[name as PlaceholderName]
  const key = name.startsWith(PROPERTY) ? name.slice(PROPERTY.length) : ''
  const value = Object.hasOwn(values.properties, key) ? values.properties[key] : null
  return value === null || value === undefined ? null : String(value)
}

/**
 * Fills the placeholders of a text. One whose value is not known and that has nothing to stand in for it stays as it is, to be
 * seen; so does one that Linnet does not know, whatever stands in for it.
 * @returns the text, which is plain: whoever puts it into HTML escapes it
 */
export const fillPlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(PATTERN, (whole: string, name?: string, fallback?: string) => {
    if (name === undefined) return '{'
    const value = valueOf(name, values)?.trim() ?? ''
    if (value !== '') return value
    const isKnown = Object.hasOwn(PLACEHOLDERS, name) || name.startsWith(PROPERTY)
    return isKnown && fallback !== undefined ? fallback : whole
  })

/** A variable of a template: its key, and what stands in for it. */
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
 * Fills the variables of a template's text, as placeholders are filled: `FIRST_NAME`, `EMAIL` and their like from the contact, any
 * other from the contact's property of that key, in whatever letters. What is not known is what stands behind the bar, else what the
 * template says of the variable; else it stays as it is, to be seen.
 * @param write makes what is put in of a value. @param at where in the text it comes
 * @returns the text, which is plain: whoever puts it into HTML escapes it
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

/** The variables of templates that stand in a text, each once. */
export const findVariables = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([whole]) => whole)),
]

/** Before what only looks like one in a message: the path of an address, a variable of a script. */
const OF_CODE = /[/$=]$/

/**
 * The placeholders that still stand in a message, each once: what is asked about before it is sent. Those in code are none.
 * @param text of a message, in which a brace is a brace
 */
export const findPlaceholders = (text: string): readonly string[] => {
  const rest = text.replace(VARIABLE, '\n')
  const found = [...rest.matchAll(PATTERN)].filter(
    ({ 1: name, index }) => name !== undefined && !OF_CODE.test(rest.slice(Math.max(0, index - 1), index)),
  )
  return [...findVariables(text), ...new Set(found.map(([whole]) => whole))]
}

/** The first and the last name in a name as mail has it: “Ann Lee”, “Lee, Ann”, “Ann”. */
export const splitName = (name: string | null): { readonly first: string | null; readonly last: string | null } => {
  const words = (name ?? '').trim()
  // An address in the place of a name is nobody's name.
  if (words === '' || words.includes('@')) return { first: null, last: null }
  const [family = '', given = '', ...more] = words.split(',').map((part) => part.trim())
  if (family !== '' && given !== '' && more.length === 0) return { first: given.split(/\s+/)[0] ?? null, last: family }
  const [first = null, ...rest] = words.split(/\s+/)
  return { first, last: rest.at(-1) ?? null }
}
