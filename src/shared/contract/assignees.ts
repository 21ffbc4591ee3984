/** People a thread can be assigned to (`assignees.ts`): the user, and others who write. */
import { z } from 'zod'
import type { AssignedQuery } from '../assignees.ts'
import { engine } from './command.ts'
import { id } from './inputs.ts'

export interface KnownAssignees {
  /** The user's own names, one per account; empty if they have not chosen any. */
  readonly me: readonly string[]
  /** A likely name for the user, or null if the mail shows none. */
  readonly suggested: string | null
  /** Senders from this inbox, then from the account's other inboxes, as far as stored locally; latest first. */
  readonly writers: readonly string[]
}

/** Unread threads in the inbox, like `SavedSearch.unread`; null if unknown, or without people. */
export type UnreadAssigned = Readonly<Record<AssignedQuery, number | null>>

/** Longer than any label name. */
const name = z.string().trim().min(1).max(200)

export const assigneeCommands = {
  /** Further people come from labels: `label.list`. */
  'assignee.list': engine<KnownAssignees>()('joined', () => z.object({ inboxId: id }).strict()),
  /** Counted locally; `savedSearches.changed` announces changes. */
  'assignee.unread': engine<UnreadAssigned>()('joined', () => z.object({ inboxId: id }).strict()),
  /** Sets the user's name in this account; null for none. `invalid_input` for a name that no label can have. */
  'assignee.setMe': engine<null>()('each', () => z.object({ name: name.nullable() }).strict()),
}

export interface AssigneeEvents {
  'assignees.changed': null
}
