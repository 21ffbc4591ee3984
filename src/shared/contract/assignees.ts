/** The people who may have a thread (`assignees.ts`): who the person is, and who else writes. */
import { z } from 'zod'
import type { AssignedQuery } from '../assignees.ts'
import { engine } from './command.ts'
import { id } from './inputs.ts'

export interface KnownAssignees {
  /** The names by which the person goes here, one an account; none where they have not said. */
  readonly me: readonly string[]
  /** A name that they may go by; null where the mail shows none. */
  readonly suggested: string | null
  /** Who has sent mail from this inbox, then from others of the account, as far as this computer has it: the latest first. */
  readonly writers: readonly string[]
}

/** Unread threads in the inbox, as of a saved search (`SavedSearch.unread`); null where that is not known, or there are no people. */
export type UnreadAssigned = Readonly<Record<AssignedQuery, number | null>>

/** Longer than the name of any label. */
const name = z.string().trim().min(1).max(200)

export const assigneeCommands = {
  /** Labels say who else there is: `label.list`. */
  'assignee.list': engine<KnownAssignees>()('joined', () => z.object({ inboxId: id }).strict()),
  /** Counted on this computer; `savedSearches.changed` says that there is news. */
  'assignee.unread': engine<UnreadAssigned>()('joined', () => z.object({ inboxId: id }).strict()),
  /** Keeps by which name the person goes in this account; null for none. `invalid_input` for one that no label can have. */
  'assignee.setMe': engine<null>()('each', () => z.object({ name: name.nullable() }).strict()),
}

export interface AssigneeEvents {
  /** The person goes by another name. */
  'assignees.changed': null
}
