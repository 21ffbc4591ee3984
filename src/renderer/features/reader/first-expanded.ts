import type { Email } from '../../../shared/model.ts'

/** Conversations up to this long are shown whole. */
const SHORT = 2

/** What is unfolded at once: a person reads one after the other, and each costs a document of its own. */
const MOST = { emails: 8, characters: 600_000 } as const

const sizeOf = ({ html, text }: Email): number => html?.length ?? text?.length ?? 0

/**
 * The e-mails that are unfolded when a conversation opens: the newest, and what was not read yet, the newest of those
 * first as far as there is room.
 */
export const firstExpanded = (emails: readonly Email[]): ReadonlySet<string> => {
  const wanted = emails.filter((email, index) => emails.length <= SHORT || !email.read || index === emails.length - 1)
  const expanded = new Set<string>()
  let characters = 0
  for (const email of wanted.toReversed()) {
    characters += sizeOf(email)
    if (expanded.size > 0 && (expanded.size === MOST.emails || characters > MOST.characters)) break
    expanded.add(email.id)
  }
  return expanded
}
