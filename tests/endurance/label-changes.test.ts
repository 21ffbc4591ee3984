import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  buildLabelChanges,
  labelCreation,
  labelDeletion,
  labelSubject,
  type LabelAttributes,
} from '../../src/engine/own/outbox/changes/label.ts'
import { createWorld, INBOX, OLD, type Fate } from '../unit/engine/own/outbox/support/label-world.ts'
import { counts, runs } from './support/endurance.ts'

type Step =
  | { readonly does: 'make' | 'delete' }
  | { readonly does: 'look'; readonly look: Partial<LabelAttributes> }
  | { readonly does: 'undo' }
  | { readonly does: 'wait' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>({ does: 'make' }, { does: 'delete' }, { does: 'undo' }, { does: 'wait' }, { does: 'wait' }),
  fc
    .constantFrom<Partial<LabelAttributes>>(
      { name: 'A' },
      { name: 'B' },
      { color: '#222222' },
      { name: 'C', color: '#333333' },
    )
    .map((look): Step => ({ does: 'look', look })),
)

it('leaves the platform with what the user sees after any label changes, undos and losses', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(step, { maxLength: 14 }),
      fc.array(fc.constantFrom<Fate>('answered', 'answered', 'lost after', 'lost before'), { maxLength: 8 }),
      async (isThere, steps, fates) => {
        const { queue, held, refusals } = createWorld(isThere, fates)
        const ending = new AbortController()
        queue.start(ending.signal)
        const first = isThere ? 'label-0' : 'new'
        const idNow = (): string => queue.waiting.idNow(labelSubject(INBOX, first))
        const shown = (): Readonly<Record<string, string | undefined>> | null => {
          const name = queue.waiting.shown({ ...labelSubject(INBOX, idNow()), field: 'name' })
          const isDeleted = queue.waiting.shown({ ...labelSubject(INBOX, idNow()), field: 'label' }) === ''
          if (isDeleted) return null
          return { name, color: queue.waiting.shown({ ...labelSubject(INBOX, idNow()), field: 'color' }) }
        }
        const changeIds: string[] = []
        for (const { does, ...what } of steps) {
          if (does === 'wait') await new Promise((resolve) => setImmediate(resolve))
          else if (does === 'undo') {
            const changeId = changeIds.pop()
            const undone = changeId === undefined ? 'nothing' : queue.undo(changeId)
            if (undone !== null && undone !== 'nothing') changeIds.push(undone.changeId)
          } else if (does === 'make') {
            if (shown() === null) changeIds.push(queue.change([labelCreation(INBOX, idNow(), OLD)]))
          } else if (shown() !== null) {
            const changes =
              'look' in what ? buildLabelChanges(INBOX, idNow(), what.look) : [labelDeletion(INBOX, idNow())]
            changeIds.push(queue.change(changes))
          }
        }
        const wanted = shown()
        while (queue.waiting.count() > 0) {
          queue.nudge()
          await new Promise((resolve) => setImmediate(resolve))
        }
        ending.abort()
        expect([shown(), [...held.values()]]).toEqual([wanted, wanted === null ? [] : [wanted]])
        expect([...held.keys()]).toEqual(wanted === null ? [] : [idNow()])
        expect(refusals).toEqual([])
        await queue.ended()
      },
    ),
    {
      ...runs(counts(150, { long: 6_000 })),
      // The delete request is lost before it takes effect, and a label with the same name is created.
      examples: [
        [true, [{ does: 'delete' }, { does: 'make' }, { does: 'look', look: { name: 'A' } }], ['lost before']],
      ],
    },
  )
})
