import {
  toChangeSubject,
  type Change,
  type ChangeWrite,
  type SubjectField,
  type SubjectState,
  type WaitingChange,
} from '../change.ts'
import { COMMON_RULES, type ChangeTypeRules } from '../change-type.ts'
import { keepNewestValue } from '../waiting-changes.ts'

/**
 * An entity that the user creates, edits and deletes, such as a label, topic or contact. One field is its existence:
 * `NOT_EXISTING`, or the attributes to create it with. The others are single attributes. New entities have local IDs
 * that others can refer to; restored entities have their old ID. The platform's ID replaces both.
 */
export const NOT_EXISTING = ''

export type Attributes = Readonly<Record<string, string>>

interface Entity {
  readonly kind: string
  /** Name of the existence field. */
  readonly existence: string
  /** Attribute that every existing entity has. */
  readonly key: string
  /** True for attributes that this type changes one by one. Default: all. */
  readonly isField?: (name: string) => boolean
  /** Value of an attribute that isn't set. Default: empty. */
  readonly emptyValue?: (name: string) => string
}

/** The wanted values of some changes. */
export const fieldsOf = (changes: readonly Pick<Change, 'field' | 'wanted'>[]): Attributes =>
  Object.fromEntries(changes.map(({ field, wanted }) => [field, wanted]))

const isUnsent = (change: WaitingChange | undefined): change is WaitingChange => change?.sending === null
const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

export const toDeletion = (existence: SubjectField): Change => ({ ...existence, wanted: NOT_EXISTING })

/** True for a creation whose response is missing. */
export const isCreating =
  (existence: string) =>
  ({ field, sending }: WaitingChange): boolean =>
    field === existence && sending !== null && sending !== NOT_EXISTING

export const parseAttributes = (text: string): Attributes => JSON.parse(text) as Attributes

/**
 * Rules of such an entity. `textOf` converts all attributes to the value of the existence field: equal attributes give
 * the same text. `parseAttributes` reverses it.
 */
export const createEntityRules = ({
  kind,
  existence,
  key,
  isField = () => true,
  emptyValue = () => '',
}: Entity): { readonly rules: ChangeTypeRules; readonly textOf: (attributes: Attributes) => string } => {
  const textOf = (attributes: Attributes): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(attributes)
          .filter(([name, value]) => value !== emptyValue(name))
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ),
    )
  const exists = (state: SubjectState): boolean => state.has(key)

  const valueIn: ChangeTypeRules['valueIn'] = (state, field) => {
    if (field === existence) return exists(state) ? textOf(Object.fromEntries(state)) : NOT_EXISTING
    // If the entity is unknown, so are its attributes.
    return state.get(field) ?? (exists(state) ? emptyValue(field) : undefined)
  }

  /** A deletion cancels the entity's other pending changes. */
  const foldDeletion = (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ): readonly ChangeWrite[] => {
    const before = waiting.get(existence)
    const dropped = [...waiting.values()]
      .filter(({ field }) => field !== existence)
      // Wait for changes in flight, but send nothing after them.
      .map((change) =>
        change.sending === null ? drop(change) : { target: change, change: { ...change, wanted: change.sending } },
      )
    const isNowhere = (before === undefined || isUnsent(before)) && !exists(server)
    if (isNowhere) return [...dropped, ...(before === undefined ? [] : [drop(before)])]
    const change = {
      ...toChangeSubject(next),
      field: existence,
      wanted: NOT_EXISTING,
      sending: before?.sending ?? null,
    }
    return [...dropped, { target: next, change }]
  }

  /** Creates the entity, or cancels its deletion. */
  const foldCreation = (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ): readonly ChangeWrite[] => {
    const before = waiting.get(existence)
    const wanted = parseAttributes(next.wanted)
    if (!exists(server) || (before !== undefined && !isUnsent(before))) {
      const sending = before?.sending ?? null
      if (sending !== null) return [{ target: next, change: { ...next, sending } }]
      // The platform doesn't have the entity, so create it in its latest form.
      const attributes = [...waiting.values()].filter(({ field }) => field !== existence)
      return [
        ...attributes.map(drop),
        { target: next, change: { ...next, wanted: textOf({ ...wanted, ...fieldsOf(attributes) }), sending } },
      ]
    }
    // The platform still has the entity, so restore its attributes: their pending changes went with the deletion.
    return [
      ...(before === undefined ? [] : [drop(before)]),
      // An unsent attribute was set after the deletion, so it wins.
      ...[...new Set([...Object.keys(wanted), ...server.keys()])]
        .filter((field) => isField(field) && !isUnsent(waiting.get(field)))
        .map((field): ChangeWrite => {
          const target = { ...toChangeSubject(next), field, wanted: wanted[field] ?? emptyValue(field) }
          return { target, change: keepNewestValue(waiting.get(field), target, valueIn(server, field)) }
        }),
    ]
  }

  const rules: ChangeTypeRules = {
    ...COMMON_RULES,
    kind,
    owns: (field) => field.kind === kind && (field.field === existence || isField(field.field)),
    valueIn,
    shown: (waiting, field, server) => {
      const change = waiting.get(field)
      if (change !== undefined) return change.wanted
      const creation = waiting.get(existence)?.wanted ?? NOT_EXISTING
      if (creation !== NOT_EXISTING) return parseAttributes(creation)[field] ?? emptyValue(field)
      const state = server()
      if (field !== existence || !exists(state)) return valueIn(state, field)
      return textOf({ ...Object.fromEntries(state), ...fieldsOf([...waiting.values()]) })
    },
    fold: (waiting, next, server) => {
      if (next.field === existence) {
        return next.wanted === NOT_EXISTING ? foldDeletion(waiting, next, server) : foldCreation(waiting, next, server)
      }
      const before = waiting.get(existence)
      if (before?.wanted === NOT_EXISTING) return [{ target: next, change: null }]
      if (!isUnsent(before)) {
        const there = valueIn(server, next.field)
        return [{ target: next, change: keepNewestValue(waiting.get(next.field), next, there) }]
      }
      // The entity isn't created yet, so create it in its latest form.
      const wanted = textOf({ ...parseAttributes(before.wanted), [next.field]: next.wanted })
      return [{ target: before, change: { ...before, wanted } }]
    },
    // Creation and deletion are sent first, attributes together.
    batch: (first, candidates) => {
      const change = candidates.find(({ field }) => field === existence)
      return change !== undefined ? [change] : first.field === existence ? [first] : candidates
    },
  }
  return { rules, textOf }
}

/** Pending changes of several entities: by ID, new ones (oldest first), and the IDs of deleted ones. */
export const buildEntityOverlay = <Shown extends object>(
  waiting: readonly WaitingChange[],
  existence: string,
  parse: (text: string) => Shown,
  parseChange: (attributes: Attributes) => Partial<Shown>,
) => {
  const existences = waiting.filter(({ field }) => field === existence)
  const fields = Map.groupBy(
    waiting.filter(({ field }) => field !== existence),
    ({ id }) => id,
  )
  const changes = new Map([...fields].map(([id, changed]) => [id, parseChange(fieldsOf(changed))]))
  return {
    changes,
    made: existences.flatMap(({ id, wanted }) =>
      wanted === NOT_EXISTING ? [] : [{ id, ...parse(wanted), ...changes.get(id) }],
    ),
    deleted: new Set(existences.flatMap(({ id, wanted }) => (wanted === NOT_EXISTING ? [id] : []))),
  }
}
