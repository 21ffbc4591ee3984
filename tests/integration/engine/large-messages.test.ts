/** Messages that take minutes to upload: over a failing connection, and cancelled by the user. */
import { expect, it } from 'vitest'
import { MAX_CHUNK_LENGTH } from '../../../src/shared/model.ts'
import type { DraftContent, DraftSummary } from '../../../src/shared/drafts.ts'
import { startRelay } from '../../support/relay.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** Operating systems buffer up to ten megabytes. Most of the file must be unsent when the connection breaks. */
const FILE_BYTES = 12_000_000
/** Bytes per part: more than any other request carries. */
const A_PART = 1_500_000
const MINUTES = 10 * 60 * 1000
const AT_ONCE = { holdSeconds: 0, archive: false, scheduledAt: null }

const open = async () => {
  const platform = await startTestPlatform()
  const relay = await startRelay(platform.baseUrl)
  const account = { baseUrl: relay.url, apiKey: platform.apiKey }
  const engine = await openSettledEngine(account)
  return { platform, relay, engine, account }
}

/** A draft with a large file. With `isSent`, it is sent before it is uploaded as a draft. */
const writeLarge = async (engine: TestEngine, { inboxId }: TestPlatform, isSent = false) => {
  const content: DraftContent = {
    ...{ to: [{ name: null, address: 'ada@example.com' }], cc: [], bcc: [], subject: 'The plans' },
    ...{ format: 'plain', html: '', text: 'All of them.', quote: null, files: [] },
  }
  const draft = await engine.call('draft.create', { inboxId, kind: 'new', target: null, content, isUntouched: true })
  const whole = Buffer.alloc(FILE_BYTES, 'linnet').toString('base64')
  const pieces = Math.ceil(whole.length / MAX_CHUNK_LENGTH)
  const about = { draftId: draft.draftId, upload: 'plans', filename: 'plans.pdf', contentType: 'application/pdf' }
  for (let place = 0; place < pieces; place += 1) {
    const base64 = whole.slice(place * MAX_CHUNK_LENGTH, (place + 1) * MAX_CHUNK_LENGTH)
    const piece = { ...about, place, base64, isLast: place === pieces - 1, isInline: false }
    const file = await engine.call('draft.addFile', piece)
    if (file === null) continue
    // Lets the upload triggered by creating the draft finish.
    await engine.advance(1_000)
    const saved = engine.call('draft.save', { ...draft, content: { ...content, files: [file] } })
    const written = { draftId: draft.draftId, revision: draft.revision + 1 }
    await Promise.all([saved, isSent ? engine.call('draft.send', { ...written, ...AT_ONCE }) : null])
    return written
  }
  throw new Error('The file is not whole.')
}

const listed = async (engine: TestEngine): Promise<DraftSummary | undefined> => (await engine.call('draft.list', {}))[0]
const whenListed = (engine: TestEngine, isThere: (draft: DraftSummary) => boolean): Promise<DraftSummary | undefined> =>
  eventually(
    () => listed(engine),
    (draft) => draft !== undefined && isThere(draft),
  )
const isSent = (engine: TestEngine) =>
  eventually(
    () => engine.events('draft.sent'),
    (sent) => sent.length > 0,
  )
const sentFiles = async ({ ask }: TestPlatform) => {
  const { data } = await ask<{ data: { id: string }[] }>('GET', '/emails?limit=100')
  const files = data.map(({ id }) => ask<{ data: { size: number }[] }>('GET', `/emails/${id}/attachments`))
  return (await Promise.all(files)).map((each) => each.data.map(({ size }) => size))
}

/** Changes that the platform accepted. */
const takenBy = ({ requests }: TestPlatform): readonly string[] =>
  requests().filter((request) => /^(?:POST|PATCH|DELETE) .* 2\d\d$/.test(request))

it('stops after two tries over a failing connection until the user retries', async () => {
  const { platform, relay, engine, account } = await open()
  relay.breakAfter(A_PART)
  const draft = await writeLarge(engine, platform)
  const kept = await whenListed(engine, ({ notKept }) => notKept !== null)
  expect(kept?.notKept?.message).toBe('The connection was lost twice while saving 12 MB to the platform.')
  await engine.advance(MINUTES)
  expect(relay.broken()).toBe(2)

  await engine.call('draft.send', { ...draft, ...AT_ONCE })
  const broken = await whenListed(engine, ({ state }) => state.kind === 'refused')
  expect(broken?.state).toEqual({
    kind: 'refused',
    reason: {
      field: 'message',
      message:
        'The connection was lost twice while sending this 12 MB message. Nothing was sent. Send it again, edit it, or discard it.',
      isLineBroken: true,
    },
  })
  await engine.advance(MINUTES)
  expect(relay.broken()).toBe(4)
  await engine.close()

  const again = await openSettledEngine(account, engine.directory)
  await again.advance(MINUTES)
  expect((await listed(again))?.state).toEqual(broken?.state)
  expect(relay.broken()).toBe(4)

  await again.call('draft.sendAgain', { draftId: draft.draftId })
  await whenListed(again, ({ state }) => state.kind === 'refused')
  expect(relay.broken()).toBe(6)

  relay.breakAfter(null)
  await again.call('draft.sendAgain', { draftId: draft.draftId })
  await isSent(again)
  expect(await sentFiles(platform)).toEqual([[FILE_BYTES]])
  expect(await again.call('draft.list', {})).toEqual([])
}, 120_000)

it('shows progress over a slow connection, and stops when cancelled', async () => {
  const { platform, relay, engine } = await open()
  relay.holdAfter(A_PART)
  const draft = await writeLarge(engine, platform, true)
  const stop = async () => {
    await engine.advance(2_500)
    const under = await whenListed(engine, ({ upload }) => upload !== null)
    expect(under?.upload?.total).toBe(FILE_BYTES)
    expect(under?.upload?.done).toBeGreaterThan(A_PART / 2)
    // `done` includes bytes still in the operating system's buffer, so it may already be the total.
    expect(under?.upload?.done).toBeLessThanOrEqual(FILE_BYTES)
    const { state, upload } = await engine.call('draft.cancelSending', { draftId: draft.draftId })
    expect({ state, upload }).toEqual({ state: { kind: 'open' }, upload: null })
    const { notKept } = (await whenListed(engine, (each) => each.notKept !== null)) ?? { notKept: null }
    expect(notKept?.message).toBe('The upload of this draft was stopped.')
    return under?.state
  }
  expect(await stop()).toEqual({ kind: 'sending', mayHaveLeft: false })
  await engine.call('draft.send', { ...draft, ...AT_ONCE })
  await stop()

  relay.holdAfter(null)
  await engine.advance(MINUTES)
  expect(await engine.settled()).toMatchObject({ pendingChanges: 0 })
  expect(takenBy(platform)).toEqual([])
  await engine.call('draft.send', { ...draft, ...AT_ONCE })
  await isSent(engine)
  expect(await sentFiles(platform)).toEqual([[FILE_BYTES]])
}, 120_000)

it('isn’t uploaded if discarded while being sent', async () => {
  const { platform, relay, engine } = await open()
  relay.holdAfter(A_PART)
  const draft = await writeLarge(engine, platform)
  await engine.advance(2_500)
  await whenListed(engine, ({ upload }) => upload !== null)
  await engine.call('draft.discard', { draftId: draft.draftId })
  relay.holdAfter(null)
  await engine.settled()
  await engine.advance(MINUTES)
  expect(takenBy(platform)).toEqual([])
}, 120_000)
