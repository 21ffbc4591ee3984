import { PEOPLE_FIELDS, scopeOf, type ThreadFilter } from '../thread-query.ts'
import { momentOf, toTimestamp, type Clock } from './date-bounds.ts'
import { queryText, SEARCH_LIMITS } from './parse-search.ts'

/** The parameters of the platform's thread search, by their names (contract, Search threads). */
export type SearchParameters = Readonly<Record<string, string>>

/**
 * The labels of which the platform is to find any. It can be asked for one such list: beside labels, and of more people than it
 * takes, who has a thread is checked on this computer.
 */
export const labelsAsked = ({
  labelIds,
  assignedTo,
}: Pick<ThreadFilter, 'labelIds' | 'assignedTo'>): readonly string[] =>
  labelIds.length > 0 || assignedTo === null || assignedTo.length > SEARCH_LIMITS.labels ? labelIds : assignedTo

/** Whether the platform cannot be asked for all that a search wants to know of who has a thread. */
export const isAssigneeChecked = ({
  labelIds,
  assignedTo,
  notAssignedTo,
}: Pick<ThreadFilter, 'labelIds' | 'assignedTo' | 'notAssignedTo'>): boolean =>
  notAssignedTo.length > 0 || (assignedTo !== null && labelsAsked({ labelIds, assignedTo }) !== assignedTo)

/**
 * What the platform is asked for a search. Dates become timestamps with the person's offset: their day is not the
 * platform's, which is UTC. `end_date` includes its moment, so that an exclusive end is one millisecond before.
 */
export const toSearchParameters = (filter: ThreadFilter, clock: Clock): SearchParameters => {
  const { text, read, hasAttachment, since, until } = filter
  const labels = labelsAsked(filter)
  const parameters: Readonly<Record<string, string | null>> = {
    query: text.length === 0 ? null : queryText(text),
    ...Object.fromEntries(
      PEOPLE_FIELDS.map((field) => [field, filter[field].length === 0 ? null : filter[field].join(',')]),
    ),
    has_attachment: hasAttachment === null ? null : String(hasAttachment),
    start_date: since === null ? null : toTimestamp(momentOf(since, clock), clock.timeZone),
    end_date: until === null ? null : toTimestamp(momentOf(until, clock) - 1, clock.timeZone),
    folders: scopeOf(filter).join(','),
    labels: labels.length === 0 ? null : labels.join(','),
    read: read === null ? null : String(read),
  }
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
