import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ProblemError } from '../../../../../src/shared/result.ts'
import { KilledError, SendingWorld, type Fault } from './support/sending-world.ts'

const MINUTE = 60_000

type Act =
  | { readonly kind: 'write' | 'takeBack' | 'sendAgain' | 'restart' | 'offline' | 'online' | 'answered' }
  | { readonly kind: 'send'; readonly holdSeconds: number; readonly inMs: number | null; readonly asksFirst: boolean }
  | { readonly kind: 'reschedule' | 'pass'; readonly ms: number }
  | { readonly kind: 'fault'; readonly faults: readonly Fault[] }
  /** The process is killed when it has written this often. */
  | { readonly kind: 'kill'; readonly writes: number }

const faults = fc.array(fc.constantFrom<Fault>('lost', 'cut', 'error', 'refused', 'busy'), {
  minLength: 1,
  maxLength: 4,
})
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'write' }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      holdSeconds: fc.constantFrom(0, 10),
      inMs: fc.option(fc.constantFrom(MINUTE, 10 * MINUTE), { freq: 3 }),
      asksFirst: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant<Act>({ kind: 'takeBack' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'sendAgain' }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reschedule' as const), ms: fc.constantFrom(2 * MINUTE, 9 * MINUTE) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(0, 1, 400, 9_000, 11_000, MINUTE) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fault' as const), faults }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), writes: fc.nat({ max: 5 }) }) },
  ...(['restart', 'offline', 'online', 'answered'] as const).map((kind) => ({
    weight: 1,
    arbitrary: fc.constant<Act>({ kind }),
  })),
)

/** The course that is hardest to get right: an answer is lost, and something happens before the next try. */
const lostAnswer: fc.Arbitrary<readonly Act[]> = fc
  .tuple(faults, fc.option(fc.constant(MINUTE)), act, act)
  .map(([some, inMs, ...then]) => [
    { kind: 'send', holdSeconds: 0, inMs, asksFirst: false },
    { kind: 'fault', faults: ['lost', ...some] },
    { kind: 'pass', ms: 0 },
    ...then,
  ])
const course = fc
  .array(fc.oneof({ weight: 4, arbitrary: act.map((each) => [each]) }, { weight: 1, arbitrary: lostAnswer }), {
    maxLength: 12,
  })
  .map((parts) => parts.flat())

/** Plain model of one message: the words on the screen, and the key presses that may still send it. */
interface Model {
  /** The words last confirmed as saved; others if the process was killed while it saved. */
  words: readonly string[]
  /** Words at each key press that has not been taken back. */
  readonly pressed: Set<string>
  /** The last key press, if nothing has taken it back: whether it is certain. */
  press: { readonly words: string; readonly isCertain: boolean } | null
}

const play = async (world: SendingWorld, acts: readonly Act[]): Promise<Model> => {
  const model: Model = { words: [], pressed: new Set(), press: null }
  let count = 0
  /** @returns `done`; `declined` if the state doesn't allow it; `unknown` if the process was killed meanwhile */
  const attempt = async (work: () => unknown): Promise<'done' | 'declined' | 'unknown'> => {
    const state = { isSettled: false }
    const settled = Promise.resolve()
      .then(work)
      .finally(() => (state.isSettled = true))
    try {
      settled.catch(() => undefined)
      await world.clock.advance(0)
      // Undo waits for a request that is under way.
      if (!state.isSettled) await world.pass(6_000)
      await settled
      return world.isDead ? 'unknown' : 'done'
    } catch (thrown) {
      if (thrown instanceof KilledError || world.isDead) return 'unknown'
      if (!(thrown instanceof ProblemError)) throw thrown
      return ['conflict', 'refused', 'not_found'].includes(thrown.problem.code) ? 'declined' : 'unknown'
    }
  }
  const write = async (): Promise<void> => {
    count += 1
    const words = `Version ${count}.`
    const outcome = await attempt(() => world.write(words))
    if (outcome === 'declined') return
    model.words = outcome === 'done' ? [words] : [...model.words, words]
    if (outcome === 'done') model.press = null
    else if (model.press !== null) model.press = { ...model.press, isCertain: false }
  }
  world.create('Version 0.')
  model.words = ['Version 0.']
  for (const each of acts) {
    if (world.isDead) await world.restart()
    const { draft } = world
    switch (each.kind) {
      case 'write':
        // A sent message is over: nothing is written to it again.
        if (draft !== undefined) await write()
        break
      case 'send': {
        if (draft === undefined) break
        const { holdSeconds, inMs, asksFirst } = each
        const scheduledAt = inMs === null ? null : world.clock.now() + inMs
        const words = draft.content.text
        model.pressed.add(words)
        const how = { holdSeconds, archive: false, scheduledAt, asksFirst }
        const outcome = await attempt(() => world.sender.send('draft-1', draft.revision, how))
        if (outcome !== 'declined') model.press = { words, isCertain: outcome === 'done' }
        break
      }
      case 'sendAgain': {
        if (draft === undefined) break
        const words = draft.content.text
        const outcome = await attempt(() => world.sender.sendAgain('draft-1'))
        if (outcome !== 'declined') model.press = { words, isCertain: outcome === 'done' }
        break
      }
      case 'takeBack': {
        if (draft === undefined) break
        const outcome = await attempt(() => world.sender.cancel('draft-1'))
        if (outcome === 'done') model.press = null
        else if (outcome === 'unknown' && model.press !== null) model.press = { ...model.press, isCertain: false }
        break
      }
      case 'reschedule':
        if (draft !== undefined) await attempt(() => world.sender.reschedule('draft-1', world.clock.now() + each.ms))
        break
      case 'pass':
        await world.pass(each.ms)
        break
      case 'fault':
        world.fault(...each.faults)
        break
      case 'kill':
        world.killAfter(each.writes)
        break
      case 'restart':
        await world.restart()
        break
      case 'offline':
      case 'online':
        world.isOnline = each.kind === 'online'
        break
      case 'answered':
        world.replies = { answers: [{ emailId: 'email-2', from: 'Mara', at: 1, snippet: null }], drafts: [] }
    }
  }
  // Everything comes to an end: nobody interferes any more.
  if (world.isDead) await world.restart()
  world.killAfter(Infinity)
  world.clearFaults()
  world.isOnline = true
  await world.pass(12 * MINUTE)
  return model
}

const check = (world: SendingWorld, model: Model): void => {
  const sent = [...world.emails.values()].filter(({ state }) => state !== 'canceled')
  const { draft } = world
  // Never sent twice, never both sent and a draft, and never lost.
  expect(sent.length + (draft === undefined ? 0 : 1)).toBe(1)
  // Never sent with words that were not on the screen at a key press.
  for (const { text } of sent) expect([...model.pressed]).toContain(text)
  if (model.press === null) expect(sent).toEqual([])
  if (draft !== undefined) {
    expect(['open', 'refused', 'held']).toContain(draft.state.kind)
    expect(model.words).toContain(draft.content.text)
    // Nobody else changes it.
    expect(draft.theirs).toBeNull()
    // If the message is still here, the user is told why.
    const isTold = draft.state.kind === 'refused' || (draft.state.kind === 'held' && draft.state.at === null)
    if (model.press?.isCertain === true) expect(isTold).toBe(true)
  }
  expect(world.reported).toEqual([])
}

it('never loses a message, sends it twice, or sends other words than those at the key press', async () => {
  await fc.assert(
    fc.asyncProperty(course, async (acts) => {
      const directory = mkdtempSync(join(tmpdir(), 'linnet-sending-'))
      const world = new SendingWorld(directory)
      try {
        check(world, await play(world, acts))
      } finally {
        await world.restart().catch(() => undefined)
        rmSync(directory, { recursive: true, force: true })
      }
    }),
    { numRuns: 500 },
  )
})
