import { isMarkLabel } from '../thread-marks.ts'
import { PEOPLE_FIELDS, resolveQueryFolders, type ThreadFilter } from '../thread-query.ts'
import { resolveDateBound, formatIsoTimestamp, type Clock } from './date-bounds.ts'
import { formatQueryText, SEARCH_LIMITS } from './parse-search.ts'

/** Values by parameter name (platform.md 9). */
export type SearchParameters = Readonly<Record<string, string>>

/**
 * Labels to send to the platform, which matches any label of a single list. If there are other labels as well, or too
 * many for the platform's limit, assignees are checked locally.
 */
export const selectLabelsToSend = ({
  labelIds,
  assignedTo,
}: Pick<ThreadFilter, 'labelIds' | 'assignedTo'>): readonly string[] =>
  labelIds.length > 0 || assignedTo === null || assignedTo.length > SEARCH_LIMITS.labels || assignedTo.some(isMarkLabel)
    ? labelIds
    : assignedTo

/** True if some conditions on assignees must be checked locally. */
export const needsAssigneeCheck = ({
  labelIds,
  assignedTo,
  notAssignedTo,
}: Pick<ThreadFilter, 'labelIds' | 'assignedTo' | 'notAssignedTo'>): boolean =>
  notAssignedTo.length > 0 || (assignedTo !== null && selectLabelsToSend({ labelIds, assignedTo }) !== assignedTo)

/**
 * Parameters of a platform search. Dates include the user's offset, because the platform's days are UTC. `end_date` is
 * inclusive, so 1 ms is subtracted.
 */
export const toSearchParameters = (filter: ThreadFilter, clock: Clock): SearchParameters => {
  const { text, read, hasAttachment, since, until } = filter
  const labels = selectLabelsToSend(filter)
  const parameters: Readonly<Record<string, string | null>> = {
    query: text.length === 0 ? null : formatQueryText(text),
    ...Object.fromEntries(
      PEOPLE_FIELDS.map((field) => [field, filter[field].length === 0 ? null : filter[field].join(',')]),
    ),
    has_attachment: hasAttachment === null ? null : String(hasAttachment),
    start_date: since === null ? null : formatIsoTimestamp(resolveDateBound(since, clock), clock.timeZone),
    end_date: until === null ? null : formatIsoTimestamp(resolveDateBound(until, clock) - 1, clock.timeZone),
    folders: resolveQueryFolders(filter).join(','),
    labels: labels.length === 0 ? null : labels.join(','),
    read: read === null ? null : String(read),
  }
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
