import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { createMailPlatform } from '../../../../src/engine/platform/mail-platform.ts'

const SECRET = 'whsec_c2VjcmV0'
const options = { priority: 'sync', signal: new AbortController().signal } as const

const platformThat = (responses: Readonly<Record<string, unknown>>) => {
  const asked: string[] = []
  const platform = createMailPlatform({
    request: ({ method, path }) => {
      asked.push(`${method} ${path}`)
      return Promise.resolve(responses[`${method} ${path}`])
    },
  })
  return { platform, asked }
}

it('never reads a signing secret, a query or a user name of a webhook', async () => {
  const webhook = { id: 'w1', endpoint: 'https://me:pass@example.com/hook?token=abc', status: 'enabled', events: null }
  const { platform, asked } = platformThat({
    'GET /webhooks': { object: 'list', has_more: false, data: [{ ...webhook, signing_secret: SECRET }] },
    'POST /webhooks': { object: 'webhook', id: 'w2', signing_secret: SECRET },
  })
  const known = [
    await platform.listWebhooks(options),
    await platform.createWebhook('https://example.com/hook', ['inbox.email.received'], options),
  ]
  expect(known).toEqual([[{ id: 'w1', endpoint: 'example.com/hook', isEnabled: true, events: null }], 'w2'])
  expect(inspect(known, { depth: null, showHidden: true })).not.toMatch(/whsec|pass|abc/)
  expect(asked).toEqual(['GET /webhooks', 'POST /webhooks'])
})

it.each([
  [{}],
  [{ payload: null }],
  [{ payload: { type: 'inbox.thread.assigned', data: [] } }],
  [{ payload: { data: { inbox_id: 7, added: 'x', bounce: 'Permanent', from: ['a@b.example'] } } }],
])('reads a payload with missing fields: %j', async (detail) => {
  const { platform } = platformThat({ 'GET /webhooks/w1/events/msg_1': { id: 'msg_1', ...detail } })
  const payload = await platform.getWebhookEvent('w1', 'msg_1', options)
  expect(payload).toMatchObject({ inboxId: null, threadId: null, removed: [], assignee: null, failure: null })
})

it('reads who a thread was assigned to, and why an e-mail bounced', async () => {
  const assigned = {
    ...{ inbox_id: 'i1', thread_id: 't1', source: 'dashboard' },
    ...{ assignee_email: 'ada@x.example', assigned_by_email: 'bo@x.example', previous_assignee_email: null },
  }
  const bounced = { email_id: 'e1', bounce: { type: 'Transient', subType: 'MailboxFull', message: 'Over quota' } }
  const { platform } = platformThat({
    'GET /webhooks/w1/events/msg_1': { id: 'msg_1', payload: { data: assigned } },
    'GET /webhooks/w1/events/msg_2': { id: 'msg_2', payload: { data: bounced } },
  })
  expect(await platform.getWebhookEvent('w1', 'msg_1', options)).toMatchObject({
    ...{ inboxId: 'i1', threadId: 't1', source: 'dashboard' },
    ...{ assignee: 'ada@x.example', assignedBy: 'bo@x.example', previousAssignee: null },
  })
  expect(await platform.getWebhookEvent('w1', 'msg_2', options)).toMatchObject({
    ...{ emailId: 'e1', failure: { type: 'Transient', subType: 'MailboxFull', message: 'Over quota', recipients: [] } },
  })
})

it('reads the IDs and names of the labels that an event added or removed', async () => {
  const labelled = {
    added: [{ id: 'l1', name: 'Billing', color: '#FF0000' }, { id: 'l2' }, 'l3'],
    removed: [{ id: 'l4', name: 'Urgent', color: '#00FF00' }],
  }
  const { platform } = platformThat({
    'GET /webhooks/w1/events/msg_1': { id: 'msg_1', payload: { data: labelled } },
  })
  expect(await platform.getWebhookEvent('w1', 'msg_1', options)).toMatchObject({
    added: [
      { id: 'l1', name: 'Billing' },
      { id: 'l2', name: null },
    ],
    removed: [{ id: 'l4', name: 'Urgent' }],
  })
})

it.each([
  [
    { bounce: {}, to: ['ada@x.example', 7, 'bo@x.example'] },
    { message: null, recipients: ['ada@x.example', 'bo@x.example'] },
  ],
  [{ bounce: {}, to: 'ada@x.example' }, { recipients: ['ada@x.example'] }],
  [{ bounce: { message: 'It bounced', diagnosticCode: ['smtp; 550 5.1.1'] } }, { message: 'smtp; 550 5.1.1' }],
  [{ bounce: { message: 'It bounced', diagnosticCode: [] } }, { message: 'It bounced' }],
  [{ failed: { reason: 'reached_daily_quota' } }, { type: null, message: 'reached_daily_quota' }],
  [{ suppressed: { type: 'OnAccountSuppressionList' } }, { type: 'OnAccountSuppressionList', message: null }],
])('reads why an e-mail failed, and for whom: %j', async (data, failure) => {
  const { platform } = platformThat({ 'GET /webhooks/w1/events/msg_1': { id: 'msg_1', payload: { data } } })
  expect((await platform.getWebhookEvent('w1', 'msg_1', options)).failure).toMatchObject(failure)
})

it('stores little of a long payload', async () => {
  const to = Array.from({ length: 5_000 }, () => 'x'.repeat(5_000))
  const data = { to, bounce: { message: 'y'.repeat(5_000), diagnosticCode: ['z'.repeat(5_000)] } }
  const { platform } = platformThat({ 'GET /webhooks/w1/events/msg_1': { id: 'msg_1', payload: { data } } })
  expect(JSON.stringify(await platform.getWebhookEvent('w1', 'msg_1', options)).length).toBeLessThan(60_000)
})
