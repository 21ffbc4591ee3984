import { describe, expect, it } from 'vitest'
import { createDeliveryProblem, reportDeliveryFailure } from '../../../../src/engine/sync/deliveries.ts'
import type { PersistentProblem } from '../../../../src/shared/result.ts'

const MESSAGE = { sentId: 'e1', inboxId: 'inbox-1', threadId: 't1' }
const ABOUT = { subject: 'Berth for the Kittiwake', to: ['Ada Ferro <ada@example.com>'], failure: null }
const BOUNCE = { type: 'Permanent', subType: 'General', message: null, recipients: ['ada@example.com'] }
const words = (event: string, about: Parameters<typeof createDeliveryProblem>[2]): string | undefined =>
  createDeliveryProblem(MESSAGE, event, about)?.message

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
      '“Berth for the Kittiwake” to ada@example.com was not sent: the address is on the platform’s suppression list. To send to it, remove it from that list.',
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
    [{ subject: null, to: ['ada@example.com'], failure: null }, 'Your message to ada@example.com was not delivered:'],
    [{ subject: '  ', to: [], failure: null }, 'Your message was not delivered:'],
    [{ subject: 'x'.repeat(300), to: [], failure: null }, `“${'x'.repeat(79)}…” was not delivered:`],
    [{ subject: 'Pay\u202etxt.exe', to: [], failure: null }, '“Pay\ufffdtxt.exe” was not delivered:'],
  ])('uses what is known of the message: %j', (about, beginning) => {
    expect(words('bounced', about)?.startsWith(beginning)).toBe(true)
  })

  it('names the affected recipient if an event told it, with the reason', () => {
    const about = { ...ABOUT, to: ['bob@example.com', 'ada@example.com'], failure: { ...BOUNCE, type: 'Transient' } }
    expect(words('bounced', about)).toBe(
      '“Berth for the Kittiwake” to bob@example.com and 1 more was not delivered for ada@example.com: temporarily rejected. The address was not suppressed, so you can try again later.',
    )
  })

  it('leads to the message, and to the suppression if there is one', () => {
    const detailsOf = (...[event, about]: Parameters<typeof words>) =>
      createDeliveryProblem(MESSAGE, event, about)?.details
    expect(detailsOf('bounced', null)).toEqual(MESSAGE)
    expect(detailsOf('bounced', ABOUT)).toEqual(MESSAGE)
    expect(detailsOf('suppressed', ABOUT)).toEqual({ ...MESSAGE, suppressedAddress: 'ada@example.com' })
    const suppressed = { ...MESSAGE, suppressedAddress: 'ada@example.com' }
    expect(detailsOf('bounced', { ...ABOUT, failure: BOUNCE })).toEqual(suppressed)
    const twoOf = { ...ABOUT, to: ['ada@example.com', 'bob@example.com'] }
    expect(detailsOf('bounced', { ...twoOf, failure: BOUNCE })).toEqual(suppressed)
    expect(detailsOf('suppressed', twoOf)).toEqual(MESSAGE)
  })

  it('is made only for failures', () => {
    expect(createDeliveryProblem(MESSAGE, 'delivered', ABOUT)).toBeNull()
    expect(createDeliveryProblem(MESSAGE, null, ABOUT)).toBeNull()
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
      const problem = createDeliveryProblem({ ...MESSAGE, sentId: `e${count}` }, 'bounced', ABOUT)
      if (problem !== null) reportDeliveryFailure(problems, problem)
    }
    expect(told).toHaveLength(6)
    expect(told.at(-1)?.message).toContain('All sent')
  })
})
