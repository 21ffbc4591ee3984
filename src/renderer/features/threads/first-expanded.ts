import { BODY_PIECE, type Email } from '../../../shared/model.ts'

/** Conversations up to this long are shown whole. */
const SHORT = 2

/** What is unfolded at once: a person reads one after the other, and each costs a document of its own. */
const MOST = { emails: 8, characters: 600_000 } as const

const sizeOf = ({ html, text, apart }: Email): number =>
  apart === null ? (html?.length ?? text?.length ?? 0) : (apart.html || apart.text) * BODY_PIECE

/**
 * The e-mail that a conversation opens at: the one for which a search found it, else the first that was not read yet, else
 * the newest.
 * @returns its index; -1 where there is none
 */
export const firstShown = (emails: readonly Email[], matchedId: string | null): number => {
  const matched = emails.findIndex(({ id }) => id === matchedId)
  if (matched !== -1) return matched
  const unread = emails.findIndex(({ read }) => !read)
  return unread === -1 ? emails.length - 1 : unread
}

/**
 * The e-mails that are unfolded when a conversation opens: the one that it opens at before all others, then the newest,
 * and what was not read yet, the newest of those first as far as there is room.
 * @param matchedId the e-mail for which a search found it
 */
export const firstExpanded = (emails: readonly Email[], matchedId: string | null): ReadonlySet<string> => {
  const newestFirst = emails
    .filter((email, index) => emails.length <= SHORT || !email.read || index === emails.length - 1)
    .toReversed()
  const start = emails[firstShown(emails, matchedId)]
  const wanted = [...(start === undefined ? [] : [start]), ...newestFirst.filter(({ id }) => id !== start?.id)]
  let characters = 0
  const end = wanted.findIndex((email, index) => {
    characters += sizeOf(email)
    return index > 0 && (index === MOST.emails || characters > MOST.characters)
  })
  const ids = new Set((end === -1 ? wanted : wanted.slice(0, end)).map(({ id }) => id))
  return new Set(emails.flatMap(({ id }) => (ids.has(id) ? [id] : [])))
}
