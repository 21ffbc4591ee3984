import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../../packages/platform/src/http/fault-rule.ts'
import type { SyncStatus } from '../../../src/shared/model.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const MAILBOX = { generate: { threads: 60, seed: 2 } } as const

interface Sight {
  readonly name: string
  readonly fault: Omit<FaultRule, 'path' | 'times'>
  readonly sees: (status: SyncStatus) => boolean
}

const isUntroubled = ({ connection, problem, lastSyncAt }: SyncStatus): boolean =>
  connection === 'online' && problem === null && lastSyncAt !== null
const saysOffline = ({ connection, problem }: SyncStatus): boolean => connection === 'offline' && problem === null
const says =
  (words: string) =>
  ({ problem }: SyncStatus): boolean =>
    problem?.includes(words) === true

const SIGHTS: readonly Sight[] = [
  { name: 'slow responses', fault: { kind: 'delay', delay_ms: 30 }, sees: isUntroubled },
  { name: 'platform errors', fault: { kind: 'error_500' }, sees: says('reported an error') },
  { name: 'a platform that is down', fault: { kind: 'error_503', retry_after: 0 }, sees: says('reported an error') },
  { name: 'a storm of 429', fault: { kind: 'rate_limited', retry_after: 0 }, sees: says('Too many requests') },
  { name: 'web pages instead of responses', fault: { kind: 'html' }, sees: says('reported an error') },
  { name: 'missing responses', fault: { kind: 'lost' }, sees: saysOffline },
  { name: 'truncated responses', fault: { kind: 'cut' }, sees: saysOffline },
  { name: 'half of the JSON', fault: { kind: 'truncated_json' }, sees: says('unreadable') },
  { name: 'broken JSON', fault: { kind: 'malformed_json' }, sees: says('unreadable') },
  { name: 'unknown fields', fault: { kind: 'unknown_fields' }, sees: isUntroubled },
  { name: 'unknown folders', fault: { kind: 'unknown_enum', field: 'folder' }, sees: isUntroubled },
  { name: 'threads without a subject', fault: { kind: 'missing_field', field: 'subject' }, sees: isUntroubled },
  { name: 'threads without a time', fault: { kind: 'missing_field', field: 'received_at' }, sees: isUntroubled },
  { name: 'threads without a folder', fault: { kind: 'missing_field', field: 'folder' }, sees: isUntroubled },
  { name: 'items without an ID', fault: { kind: 'missing_field', field: 'id' }, sees: isUntroubled },
  {
    name: 'lists without `has_more`',
    fault: { kind: 'missing_field', field: 'has_more' },
    sees: isUntroubled,
  },
]

describe.each(SIGHTS)('$name', ({ fault, sees }) => {
  it('from the start: the user is told, and everything arrives afterwards', async () => {
    const platform = await startTestPlatform({}, MAILBOX)
    await platform.fault(fault)
    const engine = await openTestEngine(platform)
    await eventually(engine.status, sees)
    await platform.fault()
    await engine.call('sync.now', {})
    await engine.settled()
    await engine.call('sync.now', {})
    await expectCacheEqualsPlatform(engine, platform)
    expect(await engine.status()).toMatchObject({ connection: 'online', problem: null })
  })

  it('in the middle of work: data stays, and a change arrives once', async () => {
    const { platform, engine } = await openSynced(MAILBOX)
    const { inboxId } = platform
    const before = await listCached(engine, inboxId, 'inbox')
    const threadId = before[0]?.id ?? ''

    await platform.fault(fault)
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
    await engine.call('sync.now', {}).catch(() => undefined)
    await eventually(engine.status, sees)
    const open = await engine.call('thread.open', { inboxId, threadId })
    expect(open.emails.length).toBe(open.thread.emailCount)
    expect(open.thread.onServer).toBe(true)

    await platform.fault()
    await engine.call('sync.now', {})
    await engine.settled()
    await engine.call('sync.now', {})
    await expectCacheEqualsPlatform(engine, platform)
    const taken = platform
      .requests()
      .filter((request) => request === `PATCH /inboxes/${inboxId}/threads/${threadId} 200`)
    expect(taken).toHaveLength(1)
    expect(await engine.rollbackNotices()).toEqual([])
    const after = await listCached(engine, inboxId, 'archive')
    expect(after.map(({ id }) => id)).toContain(threadId)
  })
})
