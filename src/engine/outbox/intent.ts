/** The rules of the outbox, free of files and requests. Every value is text: `true`, `archive`, `opt_in`. */

/** The thread or contact that a change is about. Its changes are sent one after the other. */
export interface Lane {
  readonly kind: 'thread' | 'contact'
  /** The inbox of a thread; empty for a contact. */
  readonly scope: string
  readonly id: string
}

/** A field that a person can change. A label or topic is a field of its own, by its ID. */
export type Field = 'read' | 'folder' | `label:${string}` | `topic:${string}`

/** What a person wants a field to be. */
export interface Intent extends Lane {
  readonly field: Field
  readonly wanted: string
  /** The value that was sent and not answered yet. */
  readonly sending: string | null
}

/** One field of one change: what it was and what it became on the screen. */
export interface Step extends Lane {
  readonly field: Field
  readonly before: string
  readonly after: string
}

export const laneKey = ({ kind, scope, id }: Lane): string => JSON.stringify([kind, scope, id])
export const fieldKey = (target: Lane & { readonly field: Field }): string =>
  JSON.stringify([target.kind, target.scope, target.id, target.field])

/**
 * Lays a new wish over the one before it. What the platform already has need not be sent, unless something else is on
 * its way there: archive, then un-archive, sends nothing.
 * @param server the platform's own value, where it is known
 * @returns null where nothing is left to send
 */
export const fold = (
  before: Intent | undefined,
  next: Lane & { readonly field: Field; readonly wanted: string },
  server: string | undefined,
): Intent | null => {
  const sending = before?.sending ?? null
  if (sending === null && next.wanted === server) return null
  const { kind, scope, id, field, wanted } = next
  return { kind, scope, id, field, wanted, sending }
}

/**
 * What is left of a wish after the platform has taken what was sent.
 * @returns null where that was all
 */
export const confirm = (intent: Intent): Intent | null =>
  intent.wanted === intent.sending ? null : { ...intent, sending: null }

/**
 * What is left of a wish after the platform has refused what was sent: nothing, unless the person has changed their
 * mind since.
 */
export const refuse = (intent: Intent, server: string | undefined): Intent | null =>
  intent.wanted === intent.sending || intent.wanted === server ? null : { ...intent, sending: null }

/** One request's worth of a lane. */
export type Delivery =
  | { readonly kind: 'thread'; readonly change: { readonly read?: boolean; readonly folder?: string } }
  | { readonly kind: 'addLabels'; readonly labelIds: readonly string[] }
  | { readonly kind: 'removeLabel'; readonly labelId: string }
  | { readonly kind: 'topic'; readonly topicId: string; readonly subscription: string }

/** The most labels that one call adds (platform facts 3.0, 15). */
const MAX_ADDED_LABELS = 10

const idOf = (field: Field): string => field.slice(field.indexOf(':') + 1)
const isState = ({ field }: Intent): boolean => field === 'read' || field === 'folder'
const isAddition = ({ field, wanted }: Intent): boolean => field.startsWith('label:') && wanted === 'true'

/** One request, and the wishes that it carries. */
export interface NextDelivery {
  readonly delivery: Delivery
  readonly covers: readonly Intent[]
}

/**
 * What to send next of a lane's wishes, oldest first: the read state and the folder go together, as do added labels;
 * a removed label goes alone (contract, 3).
 * @param mayJoin false for a wish that goes alone: it was part of a request that the platform refused, and which part
 * of it was meant is still to be found out
 */
export const nextDelivery = (
  intents: readonly Intent[],
  mayJoin: (intent: Intent) => boolean = () => true,
): NextDelivery | null => {
  const first = intents[0]
  if (first === undefined) return null
  const together = (isOfItsKind: (intent: Intent) => boolean): readonly Intent[] =>
    mayJoin(first) ? intents.filter((intent) => isOfItsKind(intent) && mayJoin(intent)) : [first]
  if (isState(first)) {
    const covers = together(isState)
    const read = covers.find(({ field }) => field === 'read')?.wanted
    const folder = covers.find(({ field }) => field === 'folder')?.wanted
    const change = { ...(read !== undefined && { read: read === 'true' }), ...(folder !== undefined && { folder }) }
    return { delivery: { kind: 'thread', change }, covers }
  }
  if (isAddition(first)) {
    const covers = together(isAddition).slice(0, MAX_ADDED_LABELS)
    return { delivery: { kind: 'addLabels', labelIds: covers.map(({ field }) => idOf(field)) }, covers }
  }
  const delivery: Delivery = first.field.startsWith('label:')
    ? { kind: 'removeLabel', labelId: idOf(first.field) }
    : { kind: 'topic', topicId: idOf(first.field), subscription: first.wanted }
  return { delivery, covers: [first] }
}

/** A lane's state on the platform, field by field; a label or topic that is not there has no entry. */
export type LaneState = ReadonlyMap<Field, string>

/** The platform's value of a field, in the outbox's words; undefined where it is not known. */
export const valueIn = (state: LaneState, field: Field): string | undefined =>
  state.get(field) ?? (field.startsWith('label:') ? 'false' : undefined)

/**
 * What undoing a step asks for. `sent` cannot be chosen (contract, "Thread folders"): once the platform has moved such a
 * thread, the way back is the inbox, and the platform files it again as it sees fit.
 */
export const undoOf = (step: Step, server: string | undefined, isSending: boolean): string =>
  step.field === 'folder' && step.before === 'sent' && (isSending || server !== 'sent') ? 'inbox' : step.before
