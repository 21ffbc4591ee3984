import { describe, expect, it } from 'vitest'
import { createDeliveryProblem, reportDeliveryFailure } from '../../../../src/engine/sync/deliveries.ts'
import type { PersistentProblem } from '../../../../src/shared/result.ts'

const MESSAGE = { sentId: 'e1', inboxId: 'inbox-1', threadId: 't1' }
const ABOUT = { subject: 'Berth for the Kittiwake', to: ['Ada Ferro <ada@example.com>'] }
const words = (event: string, about: Parameters<typeof createDeliveryProblem>[2]): string =>
  createDeliveryProblem(MESSAGE, event, about).message

describe('the report of an undelivered message', () => {
  it.each([
    [
      'bounced',
      '“Berth for the Kittiwake” to ada@example.com was not delivered: the recipient’s server rejected the message. Check the address before you send it again.',
    ],
    [
      'complained',
      '“Berth for the Kittiwake” to ada@example.com was marked as spam: the recipient reported the message. Contact the recipient another way before you write again.',
    ],
    [
      'failed',
      '“Berth for the Kittiwake” to ada@example.com was not sent: the platform could not send the message. Send it again.',
    ],
    [
      'suppressed',
      '“Berth for the Kittiwake” to ada@example.com was not sent: the address is on the platform’s suppression list. The platform’s administrator can remove the address from that list.',
    ],
  ])('names the message, the outcome, the reason and what to do: %s', (event, expected) => {
    expect(words(event, ABOUT)).toBe(expected)
  })

  it('says only that one of several recipients is affected', () => {
    const about = { ...ABOUT, to: ['ada@example.com', 'bob@example.com', 'cy@example.com'] }
    expect(words('bounced', about)).toContain(
      'to ada@example.com and 2 more was not delivered for at least one recipient: the recipient’s server',
    )
  })

  it.each([
    [null, 'A message you sent was not delivered:'],
    [{ subject: null, to: ['ada@example.com'] }, 'Your message to ada@example.com was not delivered:'],
    [{ subject: '  ', to: [] }, 'Your message was not delivered:'],
    [{ subject: 'x'.repeat(300), to: [] }, `“${'x'.repeat(79)}…” was not delivered:`],
  ])('uses what is known of the message: %j', (about, beginning) => {
    expect(words('bounced', about).startsWith(beginning)).toBe(true)
  })

  it('names its thread, or else its sent e-mail', () => {
    expect(createDeliveryProblem(MESSAGE, 'bounced', null).details).toEqual(MESSAGE)
    expect(createDeliveryProblem({ ...MESSAGE, threadId: null }, 'bounced', null).details).toEqual({ sentId: 'e1' })
  })

  it('doesn’t crowd out other reports when many messages fail at once', () => {
    let told: readonly PersistentProblem[] = []
    const problems = {
      list: () => told,
      raise: (problem: Omit<PersistentProblem, 'at'>) => {
        told = [...told.filter(({ id }) => id !== problem.id), { ...problem, at: 0 }]
      },
    }
    for (let count = 0; count < 40; count += 1) {
      reportDeliveryFailure(problems, createDeliveryProblem({ ...MESSAGE, sentId: `e${count}` }, 'bounced', ABOUT))
    }
    expect(told).toHaveLength(6)
    expect(told.at(-1)?.message).toContain('All sent')
  })
})
