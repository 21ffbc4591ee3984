import type { Email } from '../../../shared/model.ts'

/** Conversations up to this long are shown whole. */
const SHORT = 2

/** The e-mails that are unfolded when a conversation opens: the newest, and what was not read yet. */
export const firstExpanded = (emails: readonly Email[]): ReadonlySet<string> =>
  new Set(
    emails
      .filter((email, index) => emails.length <= SHORT || !email.read || index === emails.length - 1)
      .map(({ id }) => id),
  )
