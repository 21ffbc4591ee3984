import { catchMissing } from '../../../platform/platform-problem.ts'
import { ProblemError } from '../../../../shared/result.ts'
import type { Label } from '../../../../shared/model.ts'
import type { InboxRef } from '../../../store/inboxes.ts'
import type { LabelOverlay, LabelStore } from '../../../store/labels.ts'
import type { EventHub } from '../../event-hub.ts'
import type { Change, SubjectField, ChangeSubject, SubjectState, WaitingChange } from '../change.ts'
import { describeMissing, type ChangeResponse, type ChangeType } from '../change-type.ts'
import { deleted, screenOptions, type ChangeDependencies } from './change-dependencies.ts'
import {
  buildEntityOverlay,
  createEntityRules,
  fieldsOf,
  isCreating,
  NOT_EXISTING,
  parseAttributes,
  toDeletion,
} from './created-entity.ts'
import { toLabelField, threadSubject } from './thread-change-base.ts'

/** A label. Threads can have it before the platform has given it an ID. */
const EXISTENCE = 'label'

export type LabelAttributes = Pick<Label, 'name' | 'color'>

// Name and colour are sent together (platform.md 15.4).
const { rules, textOf } = createEntityRules({ kind: 'label', existence: EXISTENCE, key: 'name' })
export const labelRules = rules

const parseLook = (text: string): LabelAttributes => {
  const { name = '', color = '' } = parseAttributes(text)
  return { name, color }
}

export const labelSubject = (inboxId: string, labelId: string): ChangeSubject => ({
  kind: 'label',
  scope: inboxId,
  id: labelId,
})

export const toLabelExistenceField = (inboxId: string, labelId: string): SubjectField => ({
  ...labelSubject(inboxId, labelId),
  field: EXISTENCE,
})

const stateOf = (label: LabelAttributes | undefined): SubjectState =>
  label === undefined
    ? new Map()
    : new Map([
        ['name', label.name],
        ['color', label.color],
      ])

/** Changes an inbox's labels in the cache, and notifies windows. @param write returns false if it changed nothing */
export const changeLabels = (
  labels: Pick<LabelStore, 'all'>,
  hub: Pick<EventHub, 'labels'>,
  { key, id }: InboxRef,
  write: () => unknown,
): void => {
  const before = labels.all(key)
  if (write() === false) return
  hub.labels(
    id,
    [...before, ...labels.all(key)].map((label) => label.id),
  )
}

export const createLabelChangeType = ({
  platform,
  cache,
  hub,
  notFound,
}: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub' | 'notFound'>): ChangeType => {
  const inboxKeyOf = (scope: string): number | undefined => cache.inboxes.get(scope)?.key
  const storeIn =
    (scope: string, write: (inboxKey: number) => unknown): ChangeResponse['store'] =>
    () => {
      const inbox = cache.inboxes.ref(scope)
      if (inbox !== undefined) changeLabels(cache.labels, hub, inbox, () => write(inbox.key))
    }
  const list = (scope: string, signal: AbortSignal) => platform.listLabels(scope, screenOptions(signal))

  /** @throws the platform's rejection, unless such a label exists: names are unique (platform.md 15.1) */
  const create = async (
    { scope }: ChangeSubject,
    look: LabelAttributes,
    signal: AbortSignal,
  ): Promise<ChangeResponse> => {
    const store = (label: Label): ChangeResponse => ({
      store: storeIn(scope, (key) => cache.labels.put(key, label)),
      id: label.id,
    })
    try {
      return store({ id: await platform.createLabel(scope, look, screenOptions(signal)), ...look })
    } catch (thrown) {
      if (!(thrown instanceof ProblemError) || thrown.problem.code !== 'refused') throw thrown
      const labels = await list(scope, signal)
      // Someone else has created it in the meantime; use theirs.
      const same = labels.find(({ name }) => name === look.name)
      if (same === undefined) throw thrown
      return { store: storeIn(scope, (key) => cache.labels.replaceAll(key, labels)), id: same.id }
    }
  }

  const remove = async ({ scope, id }: ChangeSubject, signal: AbortSignal): Promise<ChangeResponse> => {
    await deleted(platform.deleteLabel(scope, id, screenOptions(signal)), async () =>
      (await list(scope, signal)).some((label) => label.id === id),
    )
    return { store: storeIn(scope, (key) => cache.labels.remove(key, id)) }
  }

  const serverLook = ({ scope, id }: ChangeSubject): LabelAttributes | undefined => {
    const key = inboxKeyOf(scope)
    return key === undefined ? undefined : cache.labels.onPlatform(key).find((label) => label.id === id)
  }

  return {
    ...labelRules,
    serverState: (subject) => stateOf(serverLook(subject)),
    deliver: async (subject, changes, signal) => {
      const existence = changes.find(({ field }) => field === EXISTENCE)
      if (existence !== undefined) {
        return existence.wanted === NOT_EXISTING
          ? remove(subject, signal)
          : create(subject, parseLook(existence.wanted), signal)
      }
      const { scope, id } = subject
      const wanted: Partial<LabelAttributes> = fieldsOf(changes)
      await platform.updateLabel(scope, id, wanted, screenOptions(signal))
      return {
        store: storeIn(scope, (key) => {
          const before = cache.labels.onPlatform(key).find((label) => label.id === id)
          if (before !== undefined) cache.labels.put(key, { ...before, ...wanted })
        }),
      }
    },
    look: async (subject, changes, signal) => {
      const { scope, id } = subject
      const labels = await catchMissing(list(scope, signal))
      if (labels === null) return null
      const store = storeIn(scope, (key) => cache.labels.replaceAll(key, labels))
      const made = changes.find(isCreating(EXISTENCE))
      const name = made === undefined ? null : parseLook(made.sending ?? '').name
      const found = labels.find((label) => (made === undefined ? label.id === id : label.name === name))
      if (found === undefined) return { state: stateOf(undefined), store }
      // The label with the requested name is the one created, whatever its colour.
      return made === undefined
        ? { state: stateOf(found), store }
        : { state: stateOf(parseLook(made.sending ?? '')), store, id: found.id }
    },
    findMissing: async ({ scope, id }, _changes, signal) => {
      const labels = await catchMissing(list(scope, signal))
      if (labels === null) {
        return (await notFound.inboxExists(scope, 'screen', { certain: true })) ? 'change' : 'inbox'
      }
      return labels.some((label) => label.id === id) ? 'nothing' : 'subject'
    },
    cascades: ({ scope, id, field, wanted }, dependents) => {
      const key = inboxKeyOf(scope)
      if (field !== EXISTENCE || wanted !== NOT_EXISTING || key === undefined) return undefined
      const carriers = new Set(cache.threadLists.idsWithLabel({ key, id: scope }, id))
      for (const change of dependents) carriers[change.wanted === 'true' ? 'add' : 'delete'](change.id)
      return [...carriers].map((threadId) => ({
        ...threadSubject(scope, threadId),
        field: toLabelField(id),
        before: 'true',
        after: 'false',
      }))
    },
    show: (subjects) => {
      const inboxes = new Set(subjects.map(({ scope }) => scope))
      for (const scope of inboxes) storeIn(scope, (key) => cache.labels.project(key))()
    },
    describe: (subject) => {
      const name = serverLook(subject)?.name
      return name === undefined ? 'new label' : `change to the label “${name}”`
    },
    describeMissing: describeMissing('the platform no longer has this label.'),
    isGone: ({ scope, id }) => storeIn(scope, (key) => cache.labels.remove(key, id))(),
  }
}

/** Threads can have the label's local ID at once. */
export const labelCreation = (inboxId: string, labelId: string, look: LabelAttributes): Change => ({
  ...toLabelExistenceField(inboxId, labelId),
  wanted: textOf({ ...look }),
})

export const buildLabelChanges = (
  inboxId: string,
  labelId: string,
  look: Partial<LabelAttributes>,
): readonly Change[] =>
  Object.entries(look).map(([field, wanted]) => ({ ...labelSubject(inboxId, labelId), field, wanted }))

export const labelDeletion = (inboxId: string, labelId: string): Change =>
  toDeletion(toLabelExistenceField(inboxId, labelId))

export const buildLabelOverlay = (waiting: readonly WaitingChange[]): LabelOverlay =>
  buildEntityOverlay(waiting, EXISTENCE, parseLook, (changed) => changed)
