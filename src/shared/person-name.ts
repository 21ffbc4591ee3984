import type { PersonName } from './people.ts'
import { toVisibleText } from './visible-text.ts'

/** Splits a typed name into first and last name, as the platform stores them: `Lee, Ann` becomes Ann and Lee. */
export const splitPersonName = (name: string): PersonName => {
  const [before = '', after] = toVisibleText(name).split(/\s*,\s*/, 2)
  if (after !== undefined && after !== '') return { firstName: after, lastName: before }
  const words = before.split(/\s+/).filter((word) => word !== '')
  if (words.length < 2) return { firstName: words[0] ?? null, lastName: null }
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? null }
}
