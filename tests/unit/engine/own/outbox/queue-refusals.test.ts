import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRefusal, toUnreachableError } from '../../../../../src/engine/platform/platform-problem.ts'
import type { Change, SubjectState } from '../../../../../src/engine/own/outbox/change.ts'
import { openFile, openQueue, startQueue, target } from './support/test-queue.ts'

const FIELDS = ['read', 'folder', 'label:a', 'label:b', 'label:c'] as const
const wantedOf = (field: string): string => (field === 'folder' ? 'archive' : 'true')

/** Fate of a request: answered, or lost before or after the platform applied it. */
type Fate = 'answered' | 'lost after' | 'lost before'

/**
 * A minimal platform that rejects requests with a guilty field. @param fates of the first requests, in order; later
 * requests are answered
 */
const createWorld = (guilty: ReadonlyMap<string, 404 | 422>, fates: readonly Fate[]) => {
  const held = new Map<string, string>([
    ['folder', 'inbox'],
    ['read', 'false'],
  ])
  const left = [...fates]
  const sent: (readonly string[])[] = []
  const unsettled = new Set<string>()
  const repeated: string[] = []
  const snapshot = (): SubjectState => new Map(held)
  const known: { state: SubjectState } = { state: snapshot() }
  const lostAnswer = () => toUnreachableError(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))
  const { queue, refusals } = openQueue(openFile(), {
    deliver: async (_subject, changes) => {
      await Promise.resolve()
      const fields = changes.map(({ field, wanted }) => [field, wanted] as const)
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
      return {
        store: () => {
          known.state = state
        },
      }
    },
    look: async () => {
      await Promise.resolve()
      unsettled.clear()
      const state = snapshot()
      return {
        state,
        store: () => {
          known.state = state
        },
      }
    },
    findMissing: (_subject, changes) =>
      Promise.resolve(changes.some(({ field }) => guilty.get(field) === 404) ? 'change' : 'nothing'),
    serverState: () => known.state,
  })
  return { queue, held, sent, repeated, refusals }
}

const change = (field: string): Change => ({ ...target(field), wanted: wantedOf(field) })

describe('a partly rejected change', () => {
  it('loses only the rejected fields, and never repeats an uncertain one unchecked', async () => {
    const refusedFields = fc.uniqueArray(
      fc.record({ field: fc.constantFrom<string>(...FIELDS), status: fc.constantFrom<(404 | 422)[]>(404, 422) }),
      { selector: ({ field }) => field, maxLength: FIELDS.length },
    )
    const fates = fc.array(fc.constantFrom<Fate[]>('answered', 'answered', 'lost after', 'lost before'), {
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(
        refusedFields,
        fates,
        fc.shuffledSubarray<string>([...FIELDS], { minLength: 1 }),
        async (list, series, fields) => {
          const guilty = new Map(list.map(({ field, status }) => [field, status]))
          const { queue, held, repeated, refusals } = createWorld(guilty, series)
          const ending = new AbortController()
          queue.change(fields.map(change))
          queue.start(ending.signal)
          while (queue.waiting.count() > 0) {
            queue.nudge()
            await new Promise((resolve) => setImmediate(resolve))
          }
          ending.abort()
          await queue.ended()
          const takenBack = refusals.flatMap((refusal) => refusal.fields)
          expect([...takenBack].sort()).toEqual(fields.filter((field) => guilty.has(field)).sort())
          for (const field of fields)
            if (!guilty.has(field)) expect([field, held.get(field)]).toEqual([field, wantedOf(field)])
          expect(repeated).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('is sent together first, then each part alone after a rejection', async () => {
    const { queue, sent } = createWorld(new Map([['folder', 422]]), [])
    queue.change([change('read'), change('folder')])
    startQueue(queue)
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(sent).toEqual([['read', 'folder'], ['read'], ['folder']])
  })
})

describe('a change to something the platform no longer has', () => {
  /** A platform without the subject, with or without a local copy. */
  const openWithout = (isKept: boolean) => {
    const here = new Map<string, string>()
    const asked: (readonly string[])[] = []
    let isKnownGone = false
    const opened = openQueue(openFile(), {
      serverState: () => new Map([['folder', 'inbox'], ['read', 'false'], ...here]),
      deliver: (_subject, changes) => {
        if (!isKnownGone) {
          asked.push(changes.map(({ field }) => field))
          return Promise.reject(toRefusal(404, { message: 'No.', name: 'not_found' }))
        }
        return Promise.resolve({ store: () => changes.forEach(({ field, wanted }) => here.set(field, wanted)) })
      },
      look: () => Promise.resolve(null),
      findMissing: () => Promise.resolve('subject'),
      isLocalOnly: () => {
        isKnownGone = isKept
        return isKept
      },
    })
    return { ...opened, here, asked }
  }

  it('is applied silently to a local copy, with all that waits', async () => {
    const { queue, refusals, here, asked } = openWithout(true)
    queue.change([change('read'), change('folder'), change('label:a')])
    startQueue(queue)
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(refusals).toEqual([])
    expect(asked).toEqual([['read', 'folder']])
    expect([...here].toSorted()).toEqual([
      ['folder', 'archive'],
      ['label:a', 'true'],
      ['read', 'true'],
    ])
  })

  it('is undone if there is no copy', async () => {
    const { queue, refusals, here } = openWithout(false)
    queue.change([change('read'), change('label:a')])
    startQueue(queue)
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(refusals.map(({ missing, fields }) => [missing, [...fields].toSorted()])).toEqual([
      ['subject', ['label:a', 'read']],
    ])
    expect(here.size).toBe(0)
  })
})
