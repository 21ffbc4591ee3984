import { subjectOf, type Change, type ChangeWrite, type SubjectState, type WaitingChange } from '../change.ts'
import type { ChangeRules } from '../change-type.ts'
import { lastWins } from '../waiting-changes.ts'

/**
 * A thing that a person makes, edits and deletes by itself, such as a label or a topic. One field says whether there is one:
 * `NONE`, or all that it is made as; every other field is one of its looks. What the platform does not have yet goes by an ID
 * of its own, which others can speak of already; what was deleted and comes back goes by the one that it had. Both are
 * replaced by the ID that the platform gives.
 */
export const NONE = ''

type Looks = Readonly<Record<string, string>>

const isUnsent = (change: WaitingChange | undefined): change is WaitingChange => change?.sending === null
const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

/**
 * Its rules, and its looks as texts: `textOf` and `looksOf` are all of them as the value of the field that says whether there is
 * one, `looksIn` those in a state, or null where there is no such thing.
 * @param kind of its subjects
 * @param existence the field that says whether there is one
 * @param keys its looks, the first of which everything that exists has
 */
export const createMadeThing = (kind: string, existence: string, keys: readonly [string, ...string[]]) => {
  const textOf = (looks: Looks): string =>
    JSON.stringify(Object.fromEntries(keys.map((key) => [key, looks[key] ?? ''])))
  const looksOf = (text: string): Looks => JSON.parse(text) as Looks
  const looksIn = (state: SubjectState): Looks | null =>
    state.has(keys[0]) ? Object.fromEntries(keys.map((key) => [key, state.get(key) ?? ''])) : null

  const valueIn: ChangeRules['valueIn'] = (state, field) => {
    if (field !== existence) return state.get(field)
    const looks = looksIn(state)
    return looks === null ? NONE : textOf(looks)
  }

  /** One that is to be made, and has not been asked for. */
  const creationOf = (waiting: ReadonlyMap<string, WaitingChange>): WaitingChange | null => {
    const change = waiting.get(existence)
    return isUnsent(change) && change.wanted !== NONE ? change : null
  }

  /** It is to go: nothing that waits of it matters any more. */
  const foldDeletion = (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ): readonly ChangeWrite[] => {
    const before = waiting.get(existence)
    const dropped = [...waiting.values()]
      .filter(({ field }) => field !== existence)
      // What is on its way is heard of, and nothing follows it.
      .map((change) =>
        change.sending === null ? drop(change) : { target: change, change: { ...change, wanted: change.sending } },
      )
    const isNowhere = (before === undefined || isUnsent(before)) && looksIn(server) === null
    if (isNowhere) return [...dropped, ...(before === undefined ? [] : [drop(before)])]
    const change = { ...subjectOf(next), field: existence, wanted: NONE, sending: before?.sending ?? null }
    return [...dropped, { target: next, change }]
  }

  /** It is to be made, or one that was to go is to stay. */
  const foldCreation = (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ): readonly ChangeWrite[] => {
    const before = waiting.get(existence)
    if (looksIn(server) === null || (before !== undefined && !isUnsent(before))) {
      const sending = before?.sending ?? null
      if (sending !== null) return [{ target: next, change: { ...next, sending } }]
      // One that nobody has heard of is made as it is wanted now.
      const looks = [...waiting.values()].filter(({ field }) => field !== existence)
      const wanted = textOf({
        ...looksOf(next.wanted),
        ...Object.fromEntries(looks.map((look) => [look.field, look.wanted])),
      })
      return [...looks.map(drop), { target: next, change: { ...next, wanted, sending } }]
    }
    // The platform has it still: what is left is how it looked, as a name that waited went with the deletion.
    return [
      ...(before === undefined ? [] : [drop(before)]),
      // A name that has not been sent was given since: whatever waited when it was to go went with that.
      ...Object.entries(looksOf(next.wanted))
        .filter(([field]) => !isUnsent(waiting.get(field)))
        .map(([field, wanted]): ChangeWrite => {
          const target = { ...subjectOf(next), field }
          return { target, change: lastWins(waiting.get(field), { ...target, wanted }, server.get(field)) }
        }),
    ]
  }

  const rules: ChangeRules = {
    owns: (field) => field.kind === kind,
    valueIn,
    shown: (waiting, field, server) => {
      const change = waiting.get(field)
      if (change !== undefined) return change.wanted
      const before = waiting.get(existence)
      if (before !== undefined && before.wanted !== NONE && field !== existence) return looksOf(before.wanted)[field]
      const state = server()
      const looks = looksIn(state)
      if (field !== existence || looks === null) return valueIn(state, field)
      return textOf(Object.fromEntries(keys.map((key) => [key, waiting.get(key)?.wanted ?? looks[key] ?? ''])))
    },
    fold: (waiting, next, server) => {
      if (next.field === existence) {
        return next.wanted === NONE ? foldDeletion(waiting, next, server) : foldCreation(waiting, next, server)
      }
      // Of one that is to go nothing else matters.
      if (waiting.get(existence)?.wanted === NONE) return [{ target: next, change: null }]
      const creation = creationOf(waiting)
      if (creation === null) {
        return [{ target: next, change: lastWins(waiting.get(next.field), next, server.get(next.field)) }]
      }
      const wanted = textOf({ ...looksOf(creation.wanted), [next.field]: next.wanted })
      return [{ target: creation, change: { ...creation, wanted } }]
    },
    // It is made or deleted before anything else is asked of it; its looks go together.
    together: (first, candidates) => {
      const change = candidates.find(({ field }) => field === existence)
      return change !== undefined ? [change] : first.field === existence ? [first] : candidates
    },
    inverse: ({ before }) => before,
  }
  return { rules, textOf, looksOf, looksIn }
}
