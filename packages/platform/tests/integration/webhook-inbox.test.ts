import { describe, expect, test } from 'vitest'
import { eventsOf, happen, second, start } from './webhook-log.ts'
import type { List, Plain } from './wire-shapes.ts'

describe('a webhook inbox', () => {
  test('hands out each delivery once, by type, and keeps them all', async () => {
    const service = await start()
    const hook = service.webhook()
    const { body: topic } = await service.ask('POST', '/topics', { name: 'One', default_subscription: 'opt_in' })
    await service.ask('PATCH', `/topics/${topic.id}`, { name: 'Two' })
    expect((await hook.next('topic.updated')).data.name).toBe('Two')
    expect((await hook.next()).type).toBe('topic.created')
    await expect(hook.next('topic.deleted', 20)).rejects.toThrow(
      'No topic.deleted within 20 ms. Received: topic.created, topic.updated.',
    )
    expect(hook.received.map(({ type }) => type)).toEqual(['topic.created', 'topic.updated'])
  })

  test('can fail like any other endpoint', async () => {
    const service = await start()
    const hook = service.webhook({ events: ['topic.created'] })
    service.faults(['error_503 POST /_webhooks times=1'])
    await happen(service)
    expect([hook.received.length, service.faults()[0]?.met]).toEqual([0, 1])
    service.advance(5 * second)
    expect((await hook.next()).type).toBe('topic.created')
  })

  test.each(['lost', 'cut'])('gets an event again if its response is %s', async (kind) => {
    const service = await start()
    const hook = service.webhook({ events: ['topic.created'] })
    service.faults([`${kind} POST /_webhooks times=1`])
    await happen(service)
    expect((await eventsOf(service, hook.id))[0]?.status).toBe('attempting')
    service.advance(5 * second)
    await service.settled()
    expect(hook.received.map(({ id }) => id)).toEqual(Array<string>(2).fill(hook.received[0]?.id ?? ''))
  })

  test('rejects a delivery with a wrong signature', async () => {
    const service = await start()
    const hook = service.webhook()
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': '1', 'svix-signature': 'v1,AAAA' }
    const answer = await fetch(hook.endpoint, { method: 'POST', headers, body: '{}' })
    expect([answer.status, hook.received]).toEqual([401, []])
  })

  test('ends with a reset, like its webhook', async () => {
    const service = await start()
    const hook = service.webhook()
    const waiting = hook.next()
    service.reset()
    await expect(waiting).rejects.toThrow('reset')
    expect((await service.get<List<Plain>>('/webhooks')).data).toEqual([])
  })

  test('names an unknown event type', async () => {
    const service = await start()
    const webhook = service.webhook as (options: unknown) => unknown
    expect(() => webhook({ events: ['email.lost'] })).toThrow(/^webhook\.events\.0: /)
  })
})
