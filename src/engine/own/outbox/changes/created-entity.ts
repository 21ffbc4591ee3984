import { toChangeSubject, type Change, type ChangeWrite, type SubjectState, type WaitingChange } from '../change.ts'
import type { ChangeTypeRules } from '../change-type.ts'
import { keepNewestValue } from '../waiting-changes.ts'

/**
 * An entity that the user creates, edits and deletes, such as a label or topic. One field is its existence: `NONE`, or
 * the attributes to create it with. The others are single attributes. New entities have local IDs that others can refer
 * to; restored entities have their old ID. The platform's ID replaces both.
 */
export const NOT_EXISTING = ''

type Attributes = Readonly<Record<string, string>>

const isUnsent = (change: WaitingChange | undefined): change is WaitingChange => change?.sending === null
const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

/**
 * Rules and text forms of such an entity. `textOf` and `parseAttributes` convert all attributes to and from the value
 * of the existence field. `attributesIn` reads the attributes from a state, or returns null if the entity doesn't
 * exist.
 * @param keys names of the attributes; every existing entity has the first one
 */
export const createEntityRules = (kind: string, existence: string, keys: readonly [string, ...string[]]) => {
  const textOf = (attributes: Attributes): string =>
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, attributes[key] ?? ''])))
  const parseAttributes = (text: string): Attributes => JSON.parse(text) as Attributes
  const attributesIn = (state: SubjectState): Attributes | null =>
    state.has(keys[0]) ? Object.fromEntries(keys.map((key) => [key, state.get(key) ?? ''])) : null

  const valueIn: ChangeTypeRules['valueIn'] = (state, field) => {
    if (field !== existence) return state.get(field)
    const attributes = attributesIn(state)
    return attributes === null ? NOT_EXISTING : textOf(attributes)
  }

  const creationOf = (waiting: ReadonlyMap<string, WaitingChange>): WaitingChange | null => {
    const change = waiting.get(existence)
    return isUnsent(change) && change.wanted !== NOT_EXISTING ? change : null
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
    const isNowhere = (before === undefined || isUnsent(before)) && attributesIn(server) === null
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
    if (attributesIn(server) === null || (before !== undefined && !isUnsent(before))) {
      const sending = before?.sending ?? null
      if (sending !== null) return [{ target: next, change: { ...next, sending } }]
      // The platform doesn't have the entity, so create it in its latest form.
      const attributes = [...waiting.values()].filter(({ field }) => field !== existence)
      const wanted = textOf({
        ...parseAttributes(next.wanted),
        ...Object.fromEntries(attributes.map((look) => [look.field, look.wanted])),
      })
      return [...attributes.map(drop), { target: next, change: { ...next, wanted, sending } }]
    }
    // The platform still has the entity, so restore its attributes: their pending changes went with the deletion.
    return [
      ...(before === undefined ? [] : [drop(before)]),
      // An unsent attribute was set after the deletion, so it wins.
      ...Object.entries(parseAttributes(next.wanted))
        .filter(([field]) => !isUnsent(waiting.get(field)))
        .map(([field, wanted]): ChangeWrite => {
          const target = { ...toChangeSubject(next), field }
          return { target, change: keepNewestValue(waiting.get(field), { ...target, wanted }, server.get(field)) }
        }),
    ]
  }

  const rules: ChangeTypeRules = {
    kind,
    owns: (field) => field.kind === kind,
    valueIn,
    shown: (waiting, field, server) => {
      const change = waiting.get(field)
      if (change !== undefined) return change.wanted
      const before = waiting.get(existence)
      if (before !== undefined && before.wanted !== NOT_EXISTING && field !== existence)
        return parseAttributes(before.wanted)[field]
      const state = server()
      const attributes = attributesIn(state)
      if (field !== existence || attributes === null) return valueIn(state, field)
      return textOf(Object.fromEntries(keys.map((key) => [key, waiting.get(key)?.wanted ?? attributes[key] ?? ''])))
    },
    fold: (waiting, next, server) => {
      if (next.field === existence) {
        return next.wanted === NOT_EXISTING ? foldDeletion(waiting, next, server) : foldCreation(waiting, next, server)
      }
      if (waiting.get(existence)?.wanted === NOT_EXISTING) return [{ target: next, change: null }]
      const creation = creationOf(waiting)
      if (creation === null) {
        return [{ target: next, change: keepNewestValue(waiting.get(next.field), next, server.get(next.field)) }]
      }
      const wanted = textOf({ ...parseAttributes(creation.wanted), [next.field]: next.wanted })
      return [{ target: creation, change: { ...creation, wanted } }]
    },
    // Creation and deletion are sent first, attributes together.
    batch: (first, candidates) => {
      const change = candidates.find(({ field }) => field === existence)
      return change !== undefined ? [change] : first.field === existence ? [first] : candidates
    },
    inverse: ({ before }) => before,
  }
  return { rules, textOf, parseAttributes, attributesIn }
}
