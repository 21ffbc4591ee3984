/** Changes to many contacts whose previous state only the platform knows: undo restores exactly that. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUnreachableError } from '../../../../../src/engine/platform/platform-problem.ts'
import type { ChangeType } from '../../../../../src/engine/own/outbox/change-type.ts'
import {
  buildTopicChange,
  buildBulkTopicChange,
  topicRules,
} from '../../../../../src/engine/own/outbox/changes/topic.ts'
import { openOutbox } from '../../../../support/own-file.ts'
import { ChangeQueue } from '../../../../../src/engine/own/outbox/change-queue.ts'
import { systemClock } from '../../../../../src/engine/timing/clock.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

const TOPIC = 'news'
const FIELD = `topic:${TOPIC}`
const PEOPLE = Array.from({ length: 25 }, (_, at) => `person-${at}`)
type State = 'opt_in' | 'opt_out'

/** When a response is lost: before or after the platform applied the request. */
type Fate = 'answered' | 'lost before' | 'lost after'
const lostAnswer = () => toUnreachableError(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }))

/** A platform, and a client that knows every second contact and can be stopped and restarted at any time. */
const createWorld = () => {
  const file = temporaryDirectory()
  const held = new Map<string, State>(PEOPLE.map((id, at) => [id, at % 3 === 0 ? 'opt_out' : 'opt_in']))
  const known = new Map<string, string>([...held].filter((_, at) => at % 2 === 0))
  const fates: Fate[] = []
  let isOffline = false
  const answer = async <Value>(act: () => Value): Promise<Value> => {
    await new Promise((resolve) => setImmediate(resolve))
    const fate = isOffline ? 'lost before' : (fates.shift() ?? 'answered')
    if (fate === 'lost before') throw lostAnswer()
    const value = act()
    if (fate === 'lost after') throw lostAnswer()
    return value
  }
  const type: ChangeType = {
    ...topicRules,
    readsBeforeWrite: true,
    waitsFor: () => undefined,
    serverState: ({ id }) => new Map(known.has(id) ? [[FIELD, known.get(id) ?? '']] : []),
    deliver: ({ id }, [change]) =>
      answer(() => {
        held.set(id, change?.wanted as State)
        return { store: () => void known.set(id, change?.wanted ?? '') }
      }),
    look: ({ id }) =>
      answer(() => {
        const state = held.get(id) ?? ''
        return { state: new Map([[FIELD, state]]), store: () => void known.set(id, state) }
      }),
    findMissing: () => Promise.resolve('change'),
    describe: () => 'change',
    describeMissing: () => null,
  }
  const begin = () => {
    const ending = new AbortController()
    const queue = new ChangeQueue(
      openOutbox(file),
      [type],
      {
        shown: () => undefined,
        refused: () => undefined,
        replaced: () => undefined,
        progressed: () => undefined,
        failed: () => undefined,
      },
      systemClock,
    )
    queue.start(ending.signal)
    return { queue, ending }
  }
  let running = begin()
  const end = async (): Promise<void> => {
    running.ending.abort()
    await running.queue.ended()
  }
  return {
    held,
    fates,
    end,
    get queue() {
      return running.queue
    },
    goOffline: (is: boolean) => {
      isOffline = is
    },
    restart: async () => {
      await end()
      running = begin()
    },
    settle: async () => {
      fates.length = 0
      isOffline = false
      while (running.queue.waiting.count() > 0 || running.queue.unfinished().length > 0) {
        running.queue.nudge()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}

type Step =
  | { readonly act: 'many'; readonly from: number; readonly wanted: State }
  | { readonly act: 'one'; readonly at: number; readonly wanted: State }
  | { readonly act: 'undo' | 'redo' | 'restart' | 'cancel' | 'settle' }
  | { readonly act: 'offline'; readonly is: boolean }
  | { readonly act: 'lose'; readonly fates: readonly Fate[] }
  | { readonly act: 'wait'; readonly turns: number }

const wanted = fc.constantFrom<State>('opt_in', 'opt_out')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('many' as const), from: fc.nat(20), wanted }),
  fc.record({ act: fc.constant('one' as const), at: fc.nat(PEOPLE.length - 1), wanted }),
  fc.record({ act: fc.constantFrom('undo' as const, 'redo', 'restart', 'cancel', 'settle') }),
  fc.record({ act: fc.constant('offline' as const), is: fc.boolean() }),
  fc.record({
    act: fc.constant('lose' as const),
    fates: fc.array(fc.constantFrom<Fate>('answered', 'lost before', 'lost after'), { maxLength: 6 }),
  }),
  fc.record({ act: fc.constant('wait' as const), turns: fc.nat(30) }),
)

it('undoing everything restores the platform, whatever was lost or interrupted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const world = createWorld()
      const before = new Map(world.held)
      const done: string[] = []
      const undone: string[] = []
      const made = (id: string): void => {
        done.push(id)
        undone.length = 0
      }
      const turn = (from: string[], to: string[]): void => {
        const id = from.pop()
        const result = id === undefined ? null : world.queue.undo(id)
        if (result !== null && result !== 'nothing') to.push(result.changeId)
      }
      try {
        for (const each of steps) {
          if (each.act === 'many') {
            const changes = PEOPLE.slice(each.from).map((id) => buildBulkTopicChange(id, TOPIC, each.wanted))
            made(world.queue.changeMany(changes).changeId)
          } else if (each.act === 'one') {
            made(world.queue.change([buildTopicChange(PEOPLE[each.at] ?? '', TOPIC, each.wanted)]))
          } else if ('is' in each) {
            world.goOffline(each.is)
          } else if ('fates' in each) {
            world.fates.push(...each.fates)
          } else if ('turns' in each) {
            for (let at = 0; at < each.turns; at += 1) await new Promise((resolve) => setImmediate(resolve))
          } else if (each.act === 'undo') turn(done, undone)
          else if (each.act === 'redo') turn(undone, done)
          else if (each.act === 'restart') await world.restart()
          else if (each.act === 'cancel') {
            const last = done.at(-1)
            if (last !== undefined) world.queue.cancel(last)
          } else await world.settle()
        }
        while (done.length > 0) turn(done, [])
        await world.settle()
        expect(Object.fromEntries(world.held)).toEqual(Object.fromEntries(before))
      } finally {
        await world.end()
      }
    }),
    {
      numRuns: 150,
      examples: [
        // The last large change is stored while the undo before it is being sent.
        [
          [
            { act: 'many', from: 3, wanted: 'opt_out' },
            { act: 'many', from: 5, wanted: 'opt_in' },
            { act: 'wait', turns: 8 },
            { act: 'undo' },
            { act: 'many', from: 0, wanted: 'opt_out' },
            { act: 'one', at: 0, wanted: 'opt_in' },
          ],
        ],
      ],
    },
  )
}, 240_000)
