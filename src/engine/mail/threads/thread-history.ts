import type { HistoryEntry } from '../../../shared/contract.ts'
import type { Label } from '../../../shared/model.ts'
import type { ThreadEvent } from '../../store/webhook-events.ts'

const SOURCES = ['api', 'dashboard', 'agent', 'system'] as const
/** Drafts and replies through the API have no entry: most are written in Linnet, which shows them. */
const WRITERS: readonly (string | null)[] = ['dashboard', 'agent']

/** @param events oldest first @param labels the inbox's labels by ID @returns entries in the same order */
export const readHistory = (
  events: readonly ThreadEvent[],
  labels: ReadonlyMap<string, Label | null>,
): readonly HistoryEntry[] =>
  events.flatMap(({ type, at, payload }): readonly HistoryEntry[] => {
    const { source, isOwn, to, added, removed, assignee, assignedBy, previousAssignee } = payload
    const made = { at, by: isOwn ? 'here' : (SOURCES.find((each) => each === source) ?? null) } as const
    const namesOf = (all: typeof added) => all.map(({ id, name }) => labels.get(id)?.name ?? name)
    switch (type) {
      case 'inbox.thread.folder.updated':
        return [{ ...made, kind: 'moved', to }]
      case 'inbox.thread.labels.updated':
        return [{ ...made, kind: 'labelled', added: namesOf(added), removed: namesOf(removed) }]
      case 'inbox.thread.assigned':
        return [{ ...made, kind: 'assigned', assignee, assignedBy }]
      case 'inbox.thread.unassigned':
        return [{ ...made, kind: 'unassigned', assignee: previousAssignee }]
      case 'inbox.draft.created':
      case 'inbox.draft.updated':
        return WRITERS.includes(source) ? [{ ...made, kind: 'drafted' }] : []
      case 'inbox.draft.sent':
        return WRITERS.includes(source) ? [{ ...made, kind: 'sent' }] : []
      default:
        return []
    }
  })
