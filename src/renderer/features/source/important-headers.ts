import type { SourceHeader } from '../../../shared/attachments.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'

/** Headers about people, time, route and authentication, in display order. */
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

export const selectImportantHeaders = (headers: readonly SourceHeader[]): readonly SourceHeader[] => {
  const important = IMPORTANT.flatMap((pattern) => headers.filter(({ name }) => pattern.test(name)))
  return important.length === 0 ? headers : important
}

/** Headers that the platform sends separately from the raw message, without duplicates, in lower case. */
export const toPlatformHeaders = (headers: Readonly<Record<string, string>>): readonly SourceHeader[] =>
  Object.entries(headers).map(([name, value]) => ({
    name: toVisibleText(name),
    value: toVisibleText(value),
    decoded: null,
    isCut: false,
  }))
