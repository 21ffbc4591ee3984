import type { SourceHeader } from '../../../shared/attachments.ts'
import { visibleText } from '../../../shared/visible-text.ts'

/** Headers that say who, when, by what way and with what proof, in the order in which they are shown. */
const IMPORTANT: readonly RegExp[] = [
  /^from$/i,
  /^(?:to|cc)$/i,
  /^reply-to$/i,
  /^date$/i,
  /^subject$/i,
  /^message-id$/i,
  /^return-path$/i,
  /^received$/i,
  /^authentication-results$/i,
  /^dkim-signature$/i,
  /^list-/i,
]

/** Those of a message's headers that most people look for; each kind in the order of the message. */
export const importantHeaders = (headers: readonly SourceHeader[]): readonly SourceHeader[] => {
  const important = IMPORTANT.flatMap((pattern) => headers.filter(({ name }) => pattern.test(name)))
  return important.length === 0 ? headers : important
}

/** Headers that the platform tells of apart from the original: each once, and its name in small letters. */
export const toldHeaders = (headers: Readonly<Record<string, string>>): readonly SourceHeader[] =>
  Object.entries(headers).map(([name, value]) => ({
    name: visibleText(name),
    value: visibleText(value),
    decoded: null,
    isCut: false,
  }))
