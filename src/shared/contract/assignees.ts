/** People to whom a thread can be assigned (`assignees.ts`): the user, and other people who write mail. */
import { z } from 'zod'
import type { AssignedQuery } from '../assignees.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema } from './inputs.ts'

export interface KnownAssignees {
  /** The user's own names, one per account; empty if they have not chosen any. */
  readonly me: readonly string[]
  /** A likely name for the user, or null if the mail shows none. */
  readonly suggested: string | null
  /** Senders of locally stored mail, latest first: from this inbox, then from the account's other inboxes. */
  readonly writers: readonly string[]
  /** Addresses of the inbox's assignees in the platform's dashboard. */
  readonly inDashboard: readonly string[]
}

/** Number of unread threads in the inbox, like `SavedSearch.unread`; null if unknown, or if there are no people. */
export type AssignedUnreadCounts = Readonly<Record<AssignedQuery, number | null>>

/** Above the limit for label names. */
const name = z.string().trim().min(1).max(200)

export const assigneeCommands = {
  /** Known assignees. Others come from assignee labels: see `label.list`. */
  'assignee.list': defineEngineCommand<KnownAssignees>()('merged', () => z.object({ inboxId: idSchema }).strict()),
  /** Counted locally; `savedSearches.changed` announces changes. */
  'assignee.unread': defineEngineCommand<AssignedUnreadCounts>()('merged', () =>
    z.object({ inboxId: idSchema }).strict(),
  ),
  /** Sets the user's name in this account; null for none. `invalid_input` for a name that no label can have. */
  'assignee.setMe': defineEngineCommand<null>()('merged', () => z.object({ name: name.nullable() }).strict()),
}

export interface AssigneeEvents {
  'assignees.changed': null
}
