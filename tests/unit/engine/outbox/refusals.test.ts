import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRefusal, toUnreachable } from '../../../../src/engine/api/platform-problem.ts'
import type { Delivery, Field, LaneState } from '../../../../src/engine/outbox/intent.ts'
import { openOutboxFile } from '../../../../src/engine/outbox/outbox-file.ts'
import { createOutbox, type Refusal, type Wish } from '../../../../src/engine/outbox/outbox.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const lane = { kind: 'thread', scope: 'inbox-1', id: 'thread-1' } as const
const FIELDS: readonly Field[] = ['read', 'folder', 'label:a', 'label:b', 'label:c']
const wantedOf = (field: Field): string => (field === 'folder' ? 'archive' : 'true')

/** What the platform makes of one request: takes it, refuses it, or takes or loses it and never answers. */
type Fate = 'answered' | 'lost after' | 'lost before'

const fieldsOf = (delivery: Delivery): readonly (readonly [Field, string])[] => {
  switch (delivery.kind) {
    case 'thread':
      return Object.entries(delivery.change).map(([field, value]) => [field as Field, String(value)])
    case 'addLabels':
      return delivery.labelIds.map((id) => [`label:${id}`, 'true'])
    case 'removeLabel':
      return [[`label:${delivery.labelId}`, 'false']]
    case 'topic':
      return [[`topic:${delivery.topicId}`, delivery.subscription]]
  }
}

/**
 * A platform that refuses any request in which a guilty field is, in the plainest way, and takes the rest.
 * @param fates of the requests in order; answered once they are over
 */
const createWorld = (guilty: ReadonlyMap<Field, 404 | 422>, fates: readonly Fate[]) => {
  const held = new Map<Field, string>([
    ['folder', 'inbox'],
    ['read', 'false'],
  ])
  const left = [...fates]
  const sent: (readonly Field[])[] = []
  const unsettled = new Set<Field>()
  const repeated: Field[] = []
  const refusals: Refusal[] = []
  const snapshot = (): LaneState => new Map(held)
  const known: { state: LaneState } = { state: snapshot() }
  const lostAnswer = () => toUnreachable(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))
  const { outbox: file } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
  const outbox = createOutbox(file, {
    deliver: async (_lane, delivery) => {
      await Promise.resolve()
      const fields = fieldsOf(delivery)
      sent.push(fields.map(([field]) => field))
      repeated.push(...fields.flatMap(([field]) => (unsettled.has(field) ? [field] : [])))
      const fate = left.shift() ?? 'answered'
      for (const [field] of fields) if (fate !== 'answered') unsettled.add(field)
      if (fate === 'lost before') throw lostAnswer()
      const status = fields.map(([field]) => guilty.get(field)).find((refusal) => refusal !== undefined)
      if (status === undefined) for (const [field, value] of fields) held.set(field, value)
      if (fate === 'lost after') throw lostAnswer()
      if (status !== undefined) throw toRefusal(status, { message: 'No.', name: 'not_found' })
      const state = snapshot()
      return () => {
        known.state = state
      }
    },
    look: async () => {
      await Promise.resolve()
      unsettled.clear()
      const state = snapshot()
      return {
        state,
        keep: () => {
          known.state = state
        },
      }
    },
    inquire: (_lane, delivery) =>
      Promise.resolve(fieldsOf(delivery).some(([field]) => guilty.get(field) === 404) ? 'change' : 'nothing'),
    serverState: () => known.state,
    changed: () => undefined,
    refused: (_lanes, refusal) => void refusals.push(refusal),
  })
  return { outbox, held, sent, repeated, refusals }
}

const wish = (field: Field): Wish => ({ ...lane, field, wanted: wantedOf(field) })

describe('a change that the platform refuses in part', () => {
  it('loses the guilty fields alone, whatever is refused or lost on the way, and nothing uncertain goes twice unseen', async () => {
    const refusedFields = fc.uniqueArray(
      fc.record({ field: fc.constantFrom(...FIELDS), status: fc.constantFrom<(404 | 422)[]>(404, 422) }),
      { selector: ({ field }) => field, maxLength: FIELDS.length },
    )
    const fates = fc.array(fc.constantFrom<Fate[]>('answered', 'answered', 'lost after', 'lost before'), {
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        refusedFields,
        fates,
        fc.shuffledSubarray([...FIELDS], { minLength: 1 }),
        async (list, series, fields) => {
          const guilty = new Map(list.map(({ field, status }) => [field, status]))
          const { outbox, held, repeated, refusals } = createWorld(guilty, series)
          const ending = new AbortController()
          outbox.change(fields.map(wish))
          outbox.start(ending.signal)
          while (outbox.pendingCount() > 0) {
            outbox.nudge()
            await new Promise((resolve) => setImmediate(resolve))
          }
          ending.abort()
          await outbox.close()
          const takenBack = refusals.flatMap((refusal) => refusal.fields)
          expect([...takenBack].sort()).toEqual(fields.filter((field) => guilty.has(field)).sort())
          for (const field of fields)
            if (!guilty.has(field)) expect([field, held.get(field)]).toEqual([field, wantedOf(field)])
          expect(repeated).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
    // Every write waits for the disk, which others use as well.
  })

  it('is sent together at first, and each part alone after a refusal', async () => {
    const { outbox, sent } = createWorld(new Map([['folder', 422]]), [])
    const ending = new AbortController()
    outbox.change([wish('read'), wish('folder')])
    outbox.start(ending.signal)
    await expect.poll(() => outbox.pendingCount()).toBe(0)
    expect(sent).toEqual([['read', 'folder'], ['read'], ['folder']])
    ending.abort()
    await outbox.close()
  })
})
