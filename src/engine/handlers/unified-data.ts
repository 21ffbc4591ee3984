/** Translates inputs and responses between windows of all inboxes and the accounts, by the names of their fields. */
import type { Label } from '../../shared/model.ts'
import { isMarkLabel } from '../../shared/thread-marks.ts'
import {
  ALL_INBOXES,
  joinIds,
  labelNameOf,
  parseUnifiedInboxId,
  parseUnifiedThreadId,
  splitIds,
  toUnifiedInboxId,
  toUnifiedLabelId,
  toUnifiedThreadId,
} from '../../shared/unified-ids.ts'

/** An inbox of an account, or the whole account if `inboxId` is null. */
export interface Place {
  readonly accountId: string
  readonly inboxId: string | null
}

export type Fields = Readonly<Record<string, unknown>>

type IdKind = 'inbox' | 'thread' | 'label' | 'change'

/** Fields with IDs, at any depth of an input, a response or an event. */
const ID_FIELDS: Readonly<Record<string, IdKind>> = {
  ...{ inboxId: 'inbox', inboxIds: 'inbox' },
  ...{ threadId: 'thread', threadIds: 'thread', movedLocally: 'thread', held: 'thread', except: 'thread' },
  ...{ labelId: 'label', labelIds: 'label', addLabels: 'label', removeLabels: 'label', setLabels: 'label' },
  ...{ assignedTo: 'label', notAssignedTo: 'label' },
  ...{ changeId: 'change', undoes: 'change' },
}

/** Fields of an input that identify an object of one account, such as a draft. */
const OBJECT_FIELDS: readonly string[] = ['draftId', 'id']

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

export const toKey = ({ accountId, inboxId }: Place): string => toUnifiedInboxId(accountId, inboxId ?? '')

/** A value that concerns only other places. */
const ELSEWHERE = Symbol('elsewhere')

/** Replaces texts. `ELSEWHERE` removes an item from its list, but a condition must keep one of its values. */
const mapTexts = (value: unknown, map: (text: string, field: string) => unknown, field = ''): unknown => {
  if (typeof value === 'string') return map(value, field)
  if (Array.isArray(value)) {
    const kept = value.map((item) => mapTexts(item, map, field)).filter((item) => item !== ELSEWHERE)
    const isCondition = field === 'labelIds' || field === 'assignedTo'
    return isCondition && kept.length === 0 && value.length > 0 ? ELSEWHERE : kept
  }
  if (!isFields(value)) return value
  const mapped = Object.entries(value).map(([name, inner]) => [name, mapTexts(inner, map, name)] as const)
  return mapped.some(([, inner]) => inner === ELSEWHERE) ? ELSEWHERE : Object.fromEntries(mapped)
}

export interface Owners {
  /** Inboxes of the named threads, each once; null for an ID that names none. */
  readonly threads: readonly (Place | null)[]
  readonly inboxes: readonly (Place | null)[]
  /** Accounts of everything that is named, each once; empty texts for IDs that name none. */
  readonly accountIds: readonly string[]
  readonly isAllInboxes: boolean
}

/** Finds the accounts and inboxes that own everything an input identifies. */
export const findOwners = (input: Fields): Owners => {
  const threads = new Map<string, Place | null>()
  const inboxes = new Map<string, Place | null>()
  mapTexts(input, (id, field) => {
    if (ID_FIELDS[field] === 'inbox') inboxes.set(id, parseUnifiedInboxId(id))
    if (field !== 'threadId' && field !== 'threadIds') return
    const place = parseUnifiedThreadId(id)
    threads.set(place === null ? id : toKey(place), place)
  })
  const isAllInboxes = inboxes.delete(ALL_INBOXES)
  const objectIds = OBJECT_FIELDS.flatMap((field) => (field in input ? splitIds(String(input[field]))[0] : []))
  const owners = [...threads.values(), ...inboxes.values(), ...objectIds].map((owner) => owner?.accountId ?? '')
  return {
    threads: [...threads.values()],
    inboxes: [...inboxes.values()],
    accountIds: [...new Set(owners)],
    isAllInboxes,
  }
}

/**
 * An input as its owner knows it, with the owner's IDs. Threads and labels of other inboxes are left out of lists.
 * @returns null if nothing is left for the place, such as for a label that its inbox lacks
 */
export const toLocalInput = (input: Fields, at: Place, labels: () => readonly Label[]): Fields | null => {
  const toLocalId = (id: string, field: string): unknown => {
    const kind = ID_FIELDS[field]
    if (kind === 'inbox') {
      if (id === ALL_INBOXES) return at.inboxId ?? undefined
      const place = parseUnifiedInboxId(id)
      // `inboxIds` are lists to read, one for each place. Another `inboxId` of the account is a choice, such as From.
      const isHere =
        field === 'inboxId' ? place?.accountId === at.accountId : place !== null && toKey(place) === toKey(at)
      return isHere ? place?.inboxId : ELSEWHERE
    }
    if (kind === 'thread') {
      const place = parseUnifiedThreadId(id)
      return place !== null && toKey(place) === toKey(at) ? place.threadId : ELSEWHERE
    }
    // Marks and people in the dashboard have the same ID in every inbox.
    if (kind !== 'label' || isMarkLabel(id)) return id
    const name = labelNameOf(id)
    return labels().find((label) => label.name === name)?.id ?? ELSEWHERE
  }
  const local = mapTexts(input, toLocalId)
  if (!isFields(local)) return null
  const objects = OBJECT_FIELDS.filter((field) => typeof input[field] === 'string')
  return { ...local, ...Object.fromEntries(objects.map((field) => [field, splitIds(String(input[field]))[0]?.id])) }
}

const toUnifiedLabel = (label: Label): Label => ({ ...label, id: toUnifiedLabelId(label.name) })

export const toUnifiedThread = <Thread extends { readonly id: string; readonly inboxId: string }>(
  accountId: string,
  thread: Thread & { readonly labels: readonly Label[] },
): Thread => ({
  ...thread,
  id: toUnifiedThreadId({ accountId, inboxId: thread.inboxId, threadId: thread.id }),
  inboxId: ALL_INBOXES,
  // A new label may coincide with one of the same name that someone else created.
  labels: [...new Map(thread.labels.map((label) => [label.name, toUnifiedLabel(label)])).values()],
})

/**
 * A response or event of a place with IDs that include the account.
 * @param labels the inbox's labels @param hasObjects true if `id` of the response, or of its items, identifies an object
 * of the account
 */
export const toUnifiedData = (data: unknown, at: Place, labels: readonly Label[], hasObjects = false): unknown => {
  const { accountId } = at
  const convert = (value: unknown, field: string, inboxId: string | null, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => convert(item, field, inboxId, depth))
    if (isFields(value)) {
      // Threads and labels are the only objects with these fields.
      if ('emailCount' in value) return toUnifiedThread(accountId, value as never)
      if ('color' in value && 'name' in value) return toUnifiedLabel(value as never)
      const inbox = typeof value.inboxId === 'string' ? value.inboxId : inboxId
      const entries = Object.entries(value)
      return Object.fromEntries(entries.map(([name, inner]) => [name, convert(inner, name, inbox, depth + 1)]))
    }
    if (typeof value !== 'string') return value
    const kind = ID_FIELDS[field]
    if (kind === 'inbox') return toUnifiedInboxId(accountId, value)
    if (kind === 'thread' && inboxId !== null) return toUnifiedThreadId({ accountId, inboxId, threadId: value })
    if (kind === 'label')
      return labels.flatMap(({ id, name }) => (id === value ? toUnifiedLabelId(name) : []))[0] ?? value
    const isObject = kind === 'change' || field === 'draftId' || (field === 'id' && hasObjects && depth < 3)
    return isObject ? joinIds([{ accountId, id: value }]) : value
  }
  return convert(data, '', at.inboxId, 0)
}
