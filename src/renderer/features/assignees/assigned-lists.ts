import UserCheck from '@lucide/svelte/icons/user-check'
import UserX from '@lucide/svelte/icons/user-x'
import { ASSIGNED_QUERIES } from '../../../shared/assignees.ts'

/** Searches for inbox threads by assignee, so they are found, counted and shown like any other search. */
export const ASSIGNED_TO_ME = {
  name: 'Mine',
  query: ASSIGNED_QUERIES.mine,
  of: 'mine',
  commandId: 'go.mine',
  icon: UserCheck,
} as const
export const UNASSIGNED = {
  name: 'Unassigned',
  query: ASSIGNED_QUERIES.nobodys,
  of: 'nobodys',
  commandId: 'go.nobodys',
  icon: UserX,
} as const
export const ASSIGNED_LISTS = [ASSIGNED_TO_ME, UNASSIGNED] as const

export const findAssignedList = (query: string): (typeof ASSIGNED_LISTS)[number] | undefined =>
  ASSIGNED_LISTS.find((list) => list.query === query.trim())
