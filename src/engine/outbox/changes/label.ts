import { isNotFound } from '../../api/platform-problem.ts'
import { ProblemError } from '../../../shared/result.ts'
import type { Label } from '../../../shared/model.ts'
import type { LabelOverlay } from '../../store/labels.ts'
import {
  subjectOf,
  type Change,
  type ChangeWrite,
  type Field,
  type Subject,
  type SubjectState,
  type WaitingChange,
} from '../change.ts'
import type { Answer, ChangeRules, ChangeType } from '../change-type.ts'
import { lastWins } from '../waiting-changes.ts'
import { asScreen, unlessGone, type ChangeParts } from './change-parts.ts'
import { labelField, threadSubject } from './thread-answers.ts'

/**
 * A label itself. `label` says whether there is one: `NONE`, or what it is made as. A label that the platform does not have
 * yet goes by an ID of its own, which threads can carry already; one that was deleted and comes back goes by the one that
 * it had. Both are replaced by the ID that the platform gives.
 */
const EXISTENCE = 'label'
const NONE = ''

/** What a label looks like. */
export type LabelLook = Pick<Label, 'name' | 'color'>

const textOf = ({ name, color }: LabelLook): string => JSON.stringify({ name, color })
const lookOf = (text: string): LabelLook => JSON.parse(text) as LabelLook

export const labelSubject = (inboxId: string, labelId: string): Subject => ({
  kind: 'label',
  scope: inboxId,
  id: labelId,
})

/** The field that says whether there is a label. */
export const labelExistence = (inboxId: string, labelId: string): Field => ({
  ...labelSubject(inboxId, labelId),
  field: EXISTENCE,
})

const lookIn = (state: SubjectState): LabelLook | null => {
  const name = state.get('name')
  return name === undefined ? null : { name, color: state.get('color') ?? '' }
}

const stateOf = (label: LabelLook | undefined): SubjectState =>
  label === undefined
    ? new Map()
    : new Map([
        ['name', label.name],
        ['color', label.color],
      ])

const valueIn: ChangeRules['valueIn'] = (state, field) => {
  if (field !== EXISTENCE) return state.get(field)
  const look = lookIn(state)
  return look === null ? NONE : textOf(look)
}

const isUnsent = (change: WaitingChange | undefined): change is WaitingChange => change?.sending === null
/** A label that is to be made, and has not been asked for. */
const creationOf = (waiting: ReadonlyMap<string, WaitingChange>): WaitingChange | null => {
  const existence = waiting.get(EXISTENCE)
  return isUnsent(existence) && existence.wanted !== NONE ? existence : null
}

const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

/** A label is to go: nothing that waits of it matters any more. */
const foldDeletion = (
  waiting: ReadonlyMap<string, WaitingChange>,
  next: Change,
  server: SubjectState,
): readonly ChangeWrite[] => {
  const existence = waiting.get(EXISTENCE)
  const dropped = [...waiting.values()]
    .filter(({ field }) => field !== EXISTENCE)
    // What is on its way is heard of, and nothing follows it.
    .map((change) =>
      change.sending === null ? drop(change) : { target: change, change: { ...change, wanted: change.sending } },
    )
  const isNowhere = (existence === undefined || isUnsent(existence)) && lookIn(server) === null
  if (isNowhere) return [...dropped, ...(existence === undefined ? [] : [drop(existence)])]
  return [
    ...dropped,
    {
      target: next,
      change: { ...subjectOf(next), field: EXISTENCE, wanted: NONE, sending: existence?.sending ?? null },
    },
  ]
}

/** A label is to be made, or one that was to go is to stay. */
const foldCreation = (
  waiting: ReadonlyMap<string, WaitingChange>,
  next: Change,
  server: SubjectState,
): readonly ChangeWrite[] => {
  const existence = waiting.get(EXISTENCE)
  if (lookIn(server) === null || (existence !== undefined && !isUnsent(existence))) {
    const sending = existence?.sending ?? null
    if (sending !== null) return [{ target: next, change: { ...next, sending } }]
    // A label that nobody has heard of is made as it is wanted now.
    const looks = [...waiting.values()].filter(({ field }) => field !== EXISTENCE)
    const wanted = textOf({
      ...lookOf(next.wanted),
      ...Object.fromEntries(looks.map((look) => [look.field, look.wanted])),
    })
    return [...looks.map(drop), { target: next, change: { ...next, wanted, sending } }]
  }
  // The platform has it still: what is left is how it looked, as a name that waited went with the deletion.
  return [
    ...(existence === undefined ? [] : [drop(existence)]),
    // A name that has not been sent was given since: whatever waited when the label was to go went with that.
    ...Object.entries(lookOf(next.wanted))
      .filter(([field]) => !isUnsent(waiting.get(field)))
      .map(([field, wanted]): ChangeWrite => {
        const target = { ...subjectOf(next), field }
        return { target, change: lastWins(waiting.get(field), { ...target, wanted }, server.get(field)) }
      }),
  ]
}

export const labelRules: ChangeRules = {
  owns: ({ kind }) => kind === 'label',
  valueIn,
  shown: (waiting, field, server) => {
    const change = waiting.get(field)
    if (change !== undefined) return change.wanted
    const existence = waiting.get(EXISTENCE)
    if (existence !== undefined && existence.wanted !== NONE && field !== EXISTENCE) {
      return new Map(Object.entries(lookOf(existence.wanted))).get(field)
    }
    const state = server()
    if (field !== EXISTENCE || lookIn(state) === null) return valueIn(state, field)
    const name = waiting.get('name')?.wanted ?? state.get('name') ?? ''
    return textOf({ name, color: waiting.get('color')?.wanted ?? state.get('color') ?? '' })
  },
  fold: (waiting, next, server) => {
    if (next.field === EXISTENCE) {
      return next.wanted === NONE ? foldDeletion(waiting, next, server) : foldCreation(waiting, next, server)
    }
    // Of a label that is to go nothing else matters.
    if (waiting.get(EXISTENCE)?.wanted === NONE) return [{ target: next, change: null }]
    const creation = creationOf(waiting)
    if (creation === null) {
      return [{ target: next, change: lastWins(waiting.get(next.field), next, server.get(next.field)) }]
    }
    const wanted = textOf({ ...lookOf(creation.wanted), [next.field]: next.wanted })
    return [{ target: creation, change: { ...creation, wanted } }]
  },
  // A label is made or deleted before anything else is asked of it; its name and colour go together (platform facts 3.0, 20).
  together: (first, candidates) => {
    const existence = candidates.find(({ field }) => field === EXISTENCE)
    return existence !== undefined ? [existence] : first.field === EXISTENCE ? [first] : candidates
  },
  inverse: ({ before }) => before,
}

export const createLabelChanges = ({
  platform,
  cache,
  hub,
  absence,
}: Pick<ChangeParts, 'platform' | 'cache' | 'hub' | 'absence'>): ChangeType => {
  const inboxKeyOf = (scope: string): number | undefined => cache().inboxes.get(scope)?.key
  const keepIn =
    (scope: string, write: (inboxKey: number) => void): Answer['keep'] =>
    () => {
      const key = inboxKeyOf(scope)
      if (key === undefined) return
      const before = cache().labels.all(key)
      write(key)
      hub.labels(
        scope,
        [...before, ...cache().labels.all(key)].map(({ id }) => id),
      )
    }
  const list = (scope: string, signal: AbortSignal) => platform.listLabels(scope, asScreen(signal))

  /** @throws the platform's refusal, unless a label of the same name is there: names are unique (platform facts 3.8) */
  const create = async ({ scope }: Subject, look: LabelLook, signal: AbortSignal): Promise<Answer> => {
    const keep = (label: Label): Answer => ({
      keep: keepIn(scope, (key) => cache().labels.put(key, label)),
      id: label.id,
    })
    try {
      return keep({ id: await platform.createLabel(scope, look, asScreen(signal)), ...look })
    } catch (thrown) {
      if (!(thrown instanceof ProblemError) || thrown.problem.code !== 'refused') throw thrown
      const labels = await list(scope, signal)
      // Somebody else has made it in the meantime: it is the one that was meant.
      const same = labels.find(({ name }) => name === look.name)
      if (same === undefined) throw thrown
      return { keep: keepIn(scope, (key) => void cache().labels.replaceAll(key, labels)), id: same.id }
    }
  }

  /** A label that is not there need not be deleted. */
  const remove = async ({ scope, id }: Subject, signal: AbortSignal): Promise<Answer> => {
    try {
      await platform.deleteLabel(scope, id, asScreen(signal))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      const labels = await list(scope, signal)
      if (labels.some((label) => label.id === id)) throw thrown
    }
    return { keep: keepIn(scope, (key) => cache().labels.remove(key, id)) }
  }

  const serverLook = ({ scope, id }: Subject): LabelLook | undefined => {
    const key = inboxKeyOf(scope)
    return key === undefined
      ? undefined
      : cache()
          .labels.onPlatform(key)
          .find((label) => label.id === id)
  }

  return {
    ...labelRules,
    serverState: (subject) => stateOf(serverLook(subject)),
    deliver: async (subject, changes, signal) => {
      const existence = changes.find(({ field }) => field === EXISTENCE)
      if (existence !== undefined) {
        return existence.wanted === NONE ? remove(subject, signal) : create(subject, lookOf(existence.wanted), signal)
      }
      const { scope, id } = subject
      const wanted: Partial<LabelLook> = Object.fromEntries(changes.map((change) => [change.field, change.wanted]))
      await platform.updateLabel(scope, id, wanted, asScreen(signal))
      return {
        keep: keepIn(scope, (key) => {
          const before = cache()
            .labels.onPlatform(key)
            .find((label) => label.id === id)
          if (before !== undefined) cache().labels.put(key, { ...before, ...wanted })
        }),
      }
    },
    look: async (subject, changes, signal) => {
      const { scope, id } = subject
      const labels = await unlessGone(list(scope, signal))
      if (labels === null) return null
      const keep = keepIn(scope, (key) => void cache().labels.replaceAll(key, labels))
      const made = changes.find(({ field, sending }) => field === EXISTENCE && sending !== null && sending !== NONE)
      const name = made === undefined ? null : lookOf(made.sending ?? '').name
      const found = labels.find((label) => (made === undefined ? label.id === id : label.name === name))
      if (found === undefined) return { state: stateOf(undefined), keep }
      // One of the name that was asked for is the one that was made, whatever its colour.
      return made === undefined
        ? { state: stateOf(found), keep }
        : { state: stateOf(lookOf(made.sending ?? '')), keep, id: found.id }
    },
    inquire: async ({ scope, id }, _changes, signal) => {
      const labels = await unlessGone(list(scope, signal))
      if (labels === null) {
        return (await absence.inboxExists(scope, 'screen', { certain: true })) ? 'change' : 'inbox'
      }
      return labels.some((label) => label.id === id) ? 'nothing' : 'subject'
    },
    takesAlong: ({ scope, id, field, wanted }, coming) => {
      const key = inboxKeyOf(scope)
      if (field !== EXISTENCE || wanted !== NONE || key === undefined) return undefined
      const carriers = new Set(cache().threads.idsWithLabel({ key, id: scope }, id))
      for (const change of coming()) carriers[change.wanted === 'true' ? 'add' : 'delete'](change.id)
      return [...carriers].map((threadId) => ({
        ...threadSubject(scope, threadId),
        field: labelField(id),
        before: 'true',
        after: 'false',
      }))
    },
    show: (subjects) => {
      const inboxes = new Set(subjects.flatMap(({ kind, scope }) => (kind === 'label' ? [scope] : [])))
      for (const scope of inboxes) keepIn(scope, (key) => cache().labels.project(key))()
    },
    words: (subject) => {
      const name = serverLook(subject)?.name
      return name === undefined ? 'new label' : `change to the label “${name}”`
    },
    goneWords: ({ missing, problem }) => {
      if (missing === 'subject') return 'the platform no longer has this label.'
      return problem.code === 'not_found' ? 'the platform does not offer it.' : null
    },
    isGone: ({ scope, id }) => keepIn(scope, (key) => cache().labels.remove(key, id))(),
  }
}

/** The change that makes a label, with the ID under which threads can carry it at once. */
export const labelCreation = (inboxId: string, labelId: string, look: LabelLook): Change => ({
  ...labelExistence(inboxId, labelId),
  wanted: textOf(look),
})

export const labelChanges = (inboxId: string, labelId: string, look: Partial<LabelLook>): readonly Change[] =>
  Object.entries(look).map(([field, wanted]) => ({ ...labelSubject(inboxId, labelId), field, wanted }))

export const labelDeletion = (inboxId: string, labelId: string): Change => ({
  ...labelExistence(inboxId, labelId),
  wanted: NONE,
})

/** How the labels of an inbox are seen with what waits of them. */
export const labelOverlay = (waiting: readonly WaitingChange[]): Omit<LabelOverlay, 'formerIds'> => {
  const looks = new Map<string, Partial<LabelLook>>()
  for (const { id, field, wanted } of waiting) {
    if (field !== EXISTENCE) looks.set(id, { ...looks.get(id), [field]: wanted })
  }
  const existences = waiting.filter(({ field }) => field === EXISTENCE)
  return {
    looks,
    made: existences.flatMap(({ id, wanted }) =>
      wanted === NONE ? [] : [{ id, ...lookOf(wanted), ...looks.get(id) }],
    ),
    deleted: new Set(existences.flatMap(({ id, wanted }) => (wanted === NONE ? [id] : []))),
  }
}
