import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EVENT_STATES, type StoredPayload } from '../../../../src/engine/store/webhook-events.ts'
import { sentEmailOf } from '../../../support/raw-payloads.ts'
import { openTestCache } from '../support/open-test-cache.ts'

const BOUNCE = { type: 'Transient', subType: 'MailboxFull', message: 'Over quota', recipients: ['ada@pier.example'] }
const PAYLOAD: StoredPayload = {
  ...{ source: null, inboxId: null, threadId: null, emailId: 'e1', from: null, to: null, added: [], removed: [] },
  ...{ assignee: null, assignedBy: null, previousAssignee: null, draftId: null, isOwn: false, failure: BOUNCE },
}

const openWith = (events: readonly (readonly [id: string, type: string, payload: StoredPayload | null])[]) => {
  const { cache, file } = openTestCache()
  const { webhookEvents, sentEmails } = cache
  const logged = events.map(([id, type], at) => ({ id, type, at }))
  webhookEvents.add('w1', logged, EVENT_STATES.toHandle)
  for (const [id, , payload] of events) webhookEvents.store(id, payload, EVENT_STATES.done)
  const failureOf = (lastEvent: string) => {
    sentEmails.storeWhole(sentEmailOf({ id: 'e1', created_at: '2026-01-01T23:00:00.000Z', last_event: lastEvent }))
    expect(sentEmails.get('e1')?.failure).toEqual(sentEmails.listed('e1')?.failure)
    return sentEmails.listed('e1')?.failure
  }
  return { webhookEvents, failureOf, file }
}

describe('the failure of a sent e-mail', () => {
  it('is that of the newest event of the same kind', () => {
    const newer = { ...BOUNCE, subType: 'General' }
    const { failureOf } = openWith([
      ['1', 'email.bounced', PAYLOAD],
      ['2', 'email.bounced', { ...PAYLOAD, failure: newer }],
      ['3', 'email.bounced', { ...PAYLOAD, emailId: 'e2' }],
      ['4', 'email.failed', { ...PAYLOAD, failure: { ...BOUNCE, message: 'reached_daily_quota' } }],
      ['5', 'email.bounced', null],
    ])
    expect(failureOf('bounced')).toEqual(newer)
    expect(failureOf('failed')).toMatchObject({ message: 'reached_daily_quota' })
    expect(failureOf('complained')).toBeNull()
    expect(failureOf('delivered')).toBeNull()
  })

  it('is unknown if its payload is damaged', () => {
    const { failureOf, file } = openWith([['1', 'email.bounced', PAYLOAD]])
    const database = new Database(file)
    onTestFinished(() => void database.close())
    for (const payload of ['{', '{}', '[]', '{"failure":7}', '{"failure":{"type":7}}']) {
      database.prepare('UPDATE webhook_events SET payload = ?').run(payload)
      expect(failureOf('bounced')).toBeNull()
    }
  })
})

it('keeps the payloads of old failures to be read, though not those of other old events', () => {
  const { webhookEvents } = openWith([])
  const events = Array.from({ length: 600 }, (_, at) => ({
    ...{ id: `${at}`, at, type: at % 2 === 0 ? 'email.bounced' : 'email.delivered' },
  }))
  webhookEvents.add('w1', events, EVENT_STATES.toRead)
  const left = webhookEvents.inState(EVENT_STATES.toRead, 1_000)
  expect(left.filter(({ type }) => type === 'email.bounced')).toHaveLength(300)
  expect(left.filter(({ type }) => type === 'email.delivered')).toHaveLength(100)
})

it('drops the oldest of very many events, assignments last', () => {
  const { cache } = openTestCache()
  const { webhookEvents } = cache
  const types = ['inbox.thread.assigned', 'inbox.email.received', 'email.bounced']
  const events = Array.from({ length: 50_000 }, (_, at) => ({ id: `msg_${at}`, at, type: types[at] ?? 'email.sent' }))
  webhookEvents.add('w1', events, EVENT_STATES.toHandle)
  expect(webhookEvents.isKnown('msg_1')).toBe(true)
  webhookEvents.add('w1', [{ id: 'msg_50000', at: 50_000, type: 'email.sent' }], EVENT_STATES.toHandle)
  const known = ['msg_0', 'msg_1', 'msg_2', 'msg_4999', 'msg_6000', 'msg_50000'].map((id) => webhookEvents.isKnown(id))
  expect(known).toEqual([true, false, true, false, true, true])
})
