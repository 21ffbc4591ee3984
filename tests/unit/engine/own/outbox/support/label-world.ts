import { toRefusal, toUnreachableError } from '../../../../../../src/engine/platform/platform-problem.ts'
import type { SubjectState, WaitingChange } from '../../../../../../src/engine/own/outbox/change.ts'
import { labelRules, type LabelAttributes } from '../../../../../../src/engine/own/outbox/changes/label.ts'
import { openFile, openQueue, stateOf } from './test-queue.ts'

export const INBOX = 'inbox-1'
export const OLD: LabelAttributes = { name: 'Old', color: '#111111' }

export type Fate = 'answered' | 'lost after' | 'lost before'
const lostAnswer = () => toUnreachableError(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))
const parseAttributes = (state: LabelAttributes | undefined): SubjectState =>
  stateOf(state === undefined ? {} : { ...state })

/** The simplest platform whose labels have unique names. */
export const createWorld = (isThere: boolean, fates: readonly Fate[]) => {
  const held = new Map<string, LabelAttributes>(isThere ? [['label-0', OLD]] : [])
  const known = new Map(held)
  const left = [...fates]
  const sent: string[] = []
  let made = 0
  const { queue, refusals } = openQueue(
    openFile(),
    {
      serverState: ({ id }) => parseAttributes(known.get(id)),
      deliver: async ({ id }, changes) => {
        await Promise.resolve()
        sent.push(changes.map(({ field }) => field).join(' '))
        const fate = left.shift() ?? 'answered'
        if (fate === 'lost before') throw lostAnswer()
        const [first] = changes
        let idNow = id
        if (first?.field === 'label' && first.wanted !== '') {
          const look = JSON.parse(first.wanted) as LabelAttributes
          if ([...held.values()].some(({ name }) => name === look.name)) throw toRefusal(422, { message: 'Taken.' })
          made += 1
          idNow = `label-${made}`
          held.set(idNow, look)
        } else if (first?.field === 'label') held.delete(id)
        else {
          const before = held.get(id)
          if (before === undefined) throw toRefusal(404, { message: 'Gone.' })
          held.set(id, { ...before, ...Object.fromEntries(changes.map((change) => [change.field, change.wanted])) })
        }
        if (fate === 'lost after') throw lostAnswer()
        const look = held.get(idNow)
        return {
          store: () => {
            if (look === undefined) known.delete(idNow)
            else known.set(idNow, look)
          },
          id: idNow,
        }
      },
      look: async ({ id }, changes: readonly WaitingChange[]) => {
        await Promise.resolve()
        const creation = changes.find(({ field, sending }) => field === 'label' && sending !== null && sending !== '')
        const wanted = creation === undefined ? null : (JSON.parse(creation.sending ?? '') as LabelAttributes)
        const all = [...held]
        const found = all.find(([each, { name }]) => (wanted === null ? each === id : name === wanted.name))
        const store = (): void => {
          known.clear()
          for (const [each, look] of all) known.set(each, look)
        }
        return found === undefined
          ? { state: parseAttributes(undefined), store }
          : { state: parseAttributes(wanted ?? found[1]), store, id: found[0] }
      },
      findMissing: () => Promise.resolve('subject'),
    },
    [labelRules],
  )
  return { queue, held, sent, refusals }
}
