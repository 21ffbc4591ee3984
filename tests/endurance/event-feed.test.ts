import { cpSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FOLDERS, MOVE_TARGETS } from '../../src/shared/model.ts'
import { expectCacheEqualsPlatform, listCached } from '../integration/engine/support/compare-with-platform.ts'
import { createWebhook, EVENTS } from '../integration/engine/support/fed-engine.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import {
  PlatformAnswerError,
  startTestPlatform,
  type TestPlatform,
} from '../integration/engine/support/test-platform.ts'
import {
  LOG_FAULTS,
  startWebhookLogProxy,
  type WebhookLogProxy,
} from '../integration/engine/support/webhook-log-proxy.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, runs } from './support/endurance.ts'

const RUNS = counts(30)
const SECOND = 1_000
const THREADS = 60
const POLL_MS = 30 * SECOND
/**
 * A full cycle of the rolling check of two inboxes with up to a page in each folder: 44 pages each (docs/sync.md), one
 * every other poll. Every eighth poll lists the inboxes instead.
 */
const CYCLE_POLLS = 2 * 44 * 2 * (4 / 3)

interface World {
  readonly platform: TestPlatform
  readonly log: WebhookLogProxy
  readonly inboxIds: readonly string[]
  readonly addresses: readonly string[]
  engine: TestEngine
  /** Another computer with the same account, while it is on. */
  second: TestEngine | null
}
type Action = (world: World) => Promise<unknown>

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(items.length, 1)]
const index = fc.nat(1000)
const source = fc.constantFrom('', '/_control/as/dashboard', '/_control/as/agent')
const target = fc.constantFrom(...MOVE_TARGETS)

/** A client may act on what another one has just deleted. Any other rejected request means that the test is wrong. */
const unlessGone = async (asked: Promise<unknown>): Promise<void> => {
  await asked.catch((thrown: unknown) => {
    if (!(thrown instanceof PlatformAnswerError) || ![404, 409, 422].includes(thrown.status)) throw thrown
  })
}
const idsAt = async ({ platform }: World, path: string): Promise<readonly string[]> =>
  (await platform.ask<{ data: { id: string }[] }>('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100`)).data.map(
    ({ id }) => id,
  )
const threadsOf = (world: World, inboxId: string): Promise<readonly string[]> =>
  idsAt(world, `/inboxes/${inboxId}/threads?folders=${FOLDERS.join(',')}`)
const inboxAt = ({ inboxIds }: World, at: number): string => pick(inboxIds, at) ?? ''
/** The path of any thread on the platform. */
const threadAt = async (world: World, at: number): Promise<string | null> => {
  const inboxId = inboxAt(world, at)
  const id = pick(await threadsOf(world, inboxId), at >> 1)
  return id === undefined ? null : `/inboxes/${inboxId}/threads/${id}`
}
const onThread = (act: (world: World, path: string, at: number, by: string) => Promise<unknown>) =>
  fc.tuple(index, source).map(([at, by]): Action => async (world) => {
    const path = await threadAt(world, at)
    if (path !== null) await unlessGone(act(world, path, at, by))
  })

const othersMove = fc.tuple(index, source, target).map(([at, by, folder]): Action => async (world) => {
  const path = await threadAt(world, at)
  if (path !== null) await unlessGone(world.platform.ask('PATCH', `${by}${path}`, { folder }))
})
const othersRead = onThread(({ platform }, path, at, by) =>
  platform.ask('PATCH', `${by}${path}`, { read: at % 2 === 0 }),
)
const othersDelete = onThread(({ platform }, path, _, by) => platform.ask('DELETE', `${by}${path}`))
const othersAssign = onThread(({ platform }, path, at) =>
  platform.ask('PUT', `/_control/as/dashboard${path}/assignee`, {
    assignee_email: at % 3 === 0 ? null : `person-${at % 3}@linnet.example`,
  }),
)
const othersLabel = onThread(async (world, path, at, by) => {
  const labels = await idsAt(world, `${path.split('/threads/')[0] ?? ''}/labels`)
  await world.platform.ask('PUT', `${by}${path}/labels`, {
    labels: labels.filter((_, number) => (at >> number) % 2 === 0),
  })
})
const othersReply = onThread(async (world, path, at, by) => {
  const email = pick(await idsAt(world, `${path}/emails`), at)
  if (email !== undefined)
    await world.platform.ask('POST', `${by}${path}/emails/${email}/reply`, { text: 'Thank you.' })
})
const othersMakeLabels = fc
  .tuple(index, fc.constantFrom('make', 'rename', 'delete'))
  .map(([at, what]): Action => async (world) => {
    const path = `/inboxes/${inboxAt(world, at)}/labels`
    const labels = await idsAt(world, path)
    const label = pick(labels, at)
    const name = `Label ${labels.length} ${at}`
    if (what === 'make' || label === undefined) await unlessGone(world.platform.ask('POST', path, { name }))
    else if (what === 'rename') await unlessGone(world.platform.ask('PATCH', `${path}/${label}`, { name }))
    else await world.platform.ask('DELETE', `${path}/${label}`)
  })
const othersDraft = fc
  .tuple(index, source, fc.constantFrom('make', 'change', 'delete', 'send'))
  .map(([at, by, what]): Action => async (world) => {
    const path = `/inboxes/${inboxAt(world, at)}/drafts`
    const draft = pick(await idsAt(world, path), at)
    const content = { to: ['ada@example.com'], subject: `Draft ${at}`, text: 'Hello' }
    const { platform } = world
    if (what === 'make' || draft === undefined) await platform.ask('POST', `${by}${path}`, content)
    else if (what === 'change') await unlessGone(platform.ask('PATCH', `${by}${path}/${draft}`, content))
    else if (what === 'delete') await unlessGone(platform.ask('DELETE', `${by}${path}/${draft}`))
    else await unlessGone(platform.ask('POST', `${by}${path}/${draft}/send`, {}))
  })
const mailArrives = index.map(
  (at): Action =>
    ({ platform, addresses }) =>
      platform.deliver({ to: pick(addresses, at), subject: `News ${at}` }),
)
/** Moves many threads at once, and back and forth for a burst that is too long to follow. */
const othersSweep = fc.tuple(source, target, fc.boolean()).map(([by, folder, isLong]): Action => async (world) => {
  const [inboxId = ''] = world.inboxIds
  for (const next of isLong ? ['spam', 'archive', 'spam', 'archive', folder] : [folder]) {
    for (const id of (await threadsOf(world, inboxId)).slice(0, 45))
      await unlessGone(world.platform.ask('PATCH', `${by}/inboxes/${inboxId}/threads/${id}`, { folder: next }))
  }
})

const personChanges = fc
  .tuple(index, fc.oneof(fc.record({ read: fc.boolean() }), fc.record({ folder: target })))
  .map(([at, change]): Action => async (world) => {
    const inboxId = inboxAt(world, at)
    const cached = await listCached(world.engine, inboxId, pick(FOLDERS, at >> 1) ?? 'inbox')
    const thread = pick(cached, at >> 3)
    if (thread === undefined) return
    await world.engine.call('thread.change', { inboxId, threadIds: [thread.id], change })
  })
const windowsChange = fc.tuple(fc.constantFrom('first', 'second'), fc.constantFrom('focused', 'visible', 'hidden')).map(
  ([caller, activity]): Action =>
    ({ engine }) =>
      engine.link.call('test', 'window.activity', { activity }, caller),
)
const engineRestarts = fc.constant<Action>(async (world) => {
  await world.engine.close()
  world.engine = await openTestEngine({ ...world.platform, baseUrl: world.log.baseUrl }, world.engine.directory)
})
/** A copy of the files at any moment is what a killed process leaves. */
const engineIsKilled = fc.constant<Action>(async (world) => {
  const left = temporaryDirectory()
  cpSync(world.engine.directory, left, { recursive: true })
  await world.engine.close()
  world.engine = await openTestEngine({ ...world.platform, baseUrl: world.log.baseUrl }, left)
})
const secondComputer = fc.constant<Action>(async (world) => {
  if (world.second === null) world.second = await openTestEngine(world.platform)
  else {
    await world.second.close()
    world.second = null
  }
})

const logFails = fc
  .constantFrom(...LOG_FAULTS.filter((fault) => fault !== 'held payloads'), null)
  .map((fault): Action => ({ log }) => {
    log.fault(fault)
    return Promise.resolve()
  })
const webhookChanges = fc
  .constantFrom('disabled', 'enabled', 'deleted', 'created', 'created', 'partial')
  .map((what): Action => async (world) => {
    const { platform } = world
    const [id] = await idsAt(world, '/webhooks')
    if (what === 'created' || id === undefined) await createWebhook(platform)
    else if (what === 'deleted') await platform.ask('DELETE', `/webhooks/${id}`)
    else if (what === 'partial') await platform.ask('PATCH', `/webhooks/${id}`, { events: EVENTS.slice(0, 6) })
    else await platform.ask('PATCH', `/webhooks/${id}`, { status: what })
  })
const timePasses = fc.constantFrom(1, 5, 5, 30, 120).map(
  (seconds): Action =>
    ({ engine }) =>
      engine.advance(seconds * SECOND),
)

const action = fc.oneof(
  { weight: 5, arbitrary: othersMove },
  { weight: 3, arbitrary: othersRead },
  { weight: 2, arbitrary: othersDelete },
  { weight: 2, arbitrary: othersAssign },
  { weight: 4, arbitrary: othersLabel },
  { weight: 2, arbitrary: othersReply },
  { weight: 2, arbitrary: othersMakeLabels },
  { weight: 3, arbitrary: othersDraft },
  { weight: 4, arbitrary: mailArrives },
  { weight: 1, arbitrary: othersSweep },
  { weight: 4, arbitrary: personChanges },
  { weight: 2, arbitrary: windowsChange },
  { weight: 1, arbitrary: engineRestarts },
  { weight: 2, arbitrary: engineIsKilled },
  { weight: 1, arbitrary: secondComputer },
  { weight: 5, arbitrary: logFails },
  { weight: 2, arbitrary: webhookChanges },
  { weight: 8, arbitrary: timePasses },
)

const expectDraftsToBeEqual = async (world: World, inboxId: string): Promise<void> => {
  const there = await idsAt(world, `/inboxes/${inboxId}/drafts`)
  const here = (await world.engine.call('draft.list', { inboxId, cacheOnly: true })).map(({ id }) => id)
  expect([inboxId, here.toSorted()]).toEqual([inboxId, there.toSorted()])
}
const expectEqual = async (world: World): Promise<void> => {
  const { platform, engine, inboxIds } = world
  for (const inboxId of inboxIds) {
    await expectCacheEqualsPlatform(engine, platform, inboxId)
    const { data } = await platform.ask<{ data: { id: string; name: string; color: string }[] }>(
      'GET',
      `/inboxes/${inboxId}/labels`,
    )
    const labels = await engine.call('label.list', { inboxId })
    expect(labels).toEqual(data.map(({ id, name, color }) => ({ id, name, color })))
  }
}
const isEqual = async (expectation: Promise<void>): Promise<boolean> =>
  expectation.then(
    () => true,
    () => false,
  )

describe('changes by several clients, with faults in the log of a webhook', () => {
  it('are in the cache within a cycle of the rolling check', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (actions) => {
        const platform = await startTestPlatform({}, { generate: { threads: THREADS, seed: 4 } })
        const address = 'desk@linnet.example'
        const desk = await platform.ask<{ id: string }>('POST', '/inboxes', { email_address: address })
        const inboxIds = [platform.inboxId, desk.id]
        for (const inboxId of inboxIds) {
          for (const name of ['One', 'Two', 'Three']) await platform.ask('POST', `/inboxes/${inboxId}/labels`, { name })
        }
        for (let mail = 0; mail < 5; mail += 1) await platform.deliver({ to: address, subject: `Order ${mail}` })
        await createWebhook(platform)
        const log = await startWebhookLogProxy(platform)
        const engine = await openSettledEngine({ ...platform, baseUrl: log.baseUrl })
        const addresses = [platform.inboxAddress, address]
        const world: World = { platform, log, inboxIds, addresses, engine, second: null }
        for (const act of actions) await act(world)

        await world.second?.settled()
        await world.engine.link.call('test', 'window.activity', { activity: 'focused' }, 'first')
        await world.engine.settled()
        for (let polls = 0; polls < CYCLE_POLLS && !(await isEqual(expectEqual(world))); polls += 4)
          for (let poll = 0; poll < 4; poll += 1) await world.engine.advance(POLL_MS)
        await expectEqual(world)
        for (const inboxId of inboxIds) {
          await world.engine.call('draft.list', { inboxId })
          await world.engine.advance(10 * SECOND)
          await expectDraftsToBeEqual(world, inboxId)
        }
        // A page instead of the log looks like the sign-in page of a network, until the next response.
        log.fault(null)
        await eventually(
          world.engine.status,
          ({ connection, problem, pendingChanges }) =>
            connection === 'online' && problem === null && pendingChanges === 0,
        )
        await world.second?.close()
        await world.engine.close()
        await platform.stop()
      }),
      { ...runs(RUNS), endOnFailure: true },
    )
  })
})
