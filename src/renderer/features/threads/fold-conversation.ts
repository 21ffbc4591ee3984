import type { Email } from '../../../shared/model.ts'

/** What of a long conversation is a line at first, and how many come with each press of the button that stands for the rest. */
export const LONG = {
  /** Conversations up to this long have a line for each e-mail. */
  emails: 30,
  newest: 10,
  /** From the e-mail on at which it opens. */
  fromStart: 15,
  /** Fewer than these are no shorter as a button. */
  run: 3,
  step: 40,
} as const

/** A part of a conversation as it is drawn: an e-mail, or the button that stands for several. */
export type ConversationPart =
  | { readonly kind: 'email'; readonly email: Email }
  | { readonly kind: 'folded'; readonly emails: readonly Email[] }

/** A conversation as it is drawn, oldest first. @param folded the e-mails that are no line */
export const partsOf = (emails: readonly Email[], folded: ReadonlySet<string>): readonly ConversationPart[] => {
  const parts: (
    | { readonly kind: 'email'; readonly email: Email }
    | { readonly kind: 'folded'; readonly emails: Email[] }
  )[] = []
  for (const email of emails) {
    const last = parts.at(-1)
    if (!folded.has(email.id)) parts.push({ kind: 'email', email })
    else if (last?.kind === 'folded') last.emails.push(email)
    else parts.push({ kind: 'folded', emails: [email] })
  }
  return parts
}

/**
 * The e-mails of a long conversation that are not even a line when it opens, so that it opens as quickly as a short one
 * whatever its length.
 * @param start index of the e-mail at which it opens
 * @param expanded the e-mails that are unfolded
 */
export const firstFolded = (
  emails: readonly Email[],
  start: number,
  expanded: ReadonlySet<string>,
): ReadonlySet<string> => {
  if (emails.length <= LONG.emails) return new Set()
  const folded = emails.filter(
    ({ id }, index) =>
      !expanded.has(id) && index < emails.length - LONG.newest && (index < start || index >= start + LONG.fromStart),
  )
  const ids = new Set(folded.map(({ id }) => id))
  const short = partsOf(emails, ids).filter((part) => part.kind === 'folded' && part.emails.length < LONG.run)
  for (const part of short) if (part.kind === 'folded') for (const { id } of part.emails) ids.delete(id)
  return ids
}

/** Those of a run that are unfolded next. @param from 1 where a person comes from above it, -1 from below */
export const nextOfRun = (run: readonly Email[], from: 1 | -1): readonly Email[] =>
  run.length <= LONG.step + LONG.run ? run : from === 1 ? run.slice(0, LONG.step) : run.slice(-LONG.step)
