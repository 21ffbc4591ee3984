import { describe, expect, it } from 'vitest'
import { isDeliveryFailure, type DeliveryFailure } from '../../../src/shared/delivery.ts'
import {
  listUnambiguousRecipients,
  pickDisplayedRecipient,
} from '../../../src/renderer/features/person/visible-email.ts'
import {
  describeDelivery,
  describeStatus,
  explainDelivery,
} from '../../../src/renderer/features/deliveries/describe-last-event.ts'

describe('sent e-mail', () => {
  it.each([
    ['bounced', 1, 'Bounced'],
    ['bounced', 3, 'Bounced (at least one of 3 recipients)'],
    ['delivered', 2, 'Delivered (at least one of 2 recipients)'],
    ['sent', 3, 'Sent, 3 recipients'],
    ['canceled', 0, 'Cancelled'],
    [null, 2, 'No status yet, 2 recipients'],
    ['teleported', 2, 'teleported, 2 recipients'],
  ])('never claims delivery to one of several people: %j for %i recipients', (event, count, words) => {
    expect(describeDelivery(event, count)).toBe(words)
  })

  it.each([
    ['bounced', 1, 'Bounced: the recipient’s server rejected the message', true],
    ['bounced', 2, 'Bounced (at least one of 2 recipients): the recipient’s server rejected the message', true],
    ['complained', 1, 'Marked as spam: the recipient reported the message', true],
    ['suppressed', 1, 'Suppressed: the address is on the platform’s suppression list', true],
    ['failed', 3, 'Failed: the platform could not send the message', true],
    ['delivery_delayed', 1, 'Delayed: the recipient’s server is not accepting the message yet', false],
    ['delivered', 1, 'Delivered', false],
    ['scheduled', 3, 'Scheduled', false],
  ])('says why it failed: %j for %i recipients', (event, count, words, isFault) => {
    expect(explainDelivery(event, count)).toBe(words)
    expect(isDeliveryFailure(event)).toBe(isFault)
  })

  const failureOf = (...recipients: readonly string[]): DeliveryFailure => ({
    ...{ type: 'Transient', subType: 'MailboxFull', message: 'Over quota', recipients },
  })

  it('says what an event told of the failure', () => {
    const [one, some] = [failureOf('ada@pier.example'), failureOf('ada@pier.example', 'bo@pier.example')]
    expect(describeStatus('bounced', one)).toBe('Bounced: mailbox full')
    expect(describeStatus('bounced', { ...one, type: 'Transient', subType: 'New' })).toBe(
      'Bounced: temporarily rejected',
    )
    expect(describeStatus('bounced', { ...one, type: null, subType: 'New' })).toBe('Bounced')
    expect(describeStatus('bounced', null)).toBe('Bounced')
    expect(describeStatus('delivered', null)).toBe('Delivered')
    expect(describeDelivery('bounced', 1, one)).toBe('Bounced: mailbox full')
    expect(describeDelivery('bounced', 3, one)).toBe('Bounced for ada@pier.example: mailbox full')
    expect(describeDelivery('bounced', 3, some)).toBe('Bounced for ada@pier.example and 1 more: mailbox full')
    expect(describeDelivery('bounced', 2, some)).toBe('Bounced (at least one of 2 recipients): mailbox full')
    expect(explainDelivery('bounced', 3, one)).toBe(
      'Bounced for ada@pier.example: mailbox full. Wait until the mailbox has room. The address was not suppressed, so you can try again later.',
    )
    expect(explainDelivery('bounced', 1, { ...one, subType: 'New' })).toBe(
      'Bounced: temporarily rejected. The server said: “Over quota”. The address was not suppressed, so you can try again later.',
    )
  })

  it('shows the recipient in view, or else the first with a clear address', () => {
    const recipients = listUnambiguousRecipients([
      '"<ann@bank.example>"@evil.example <x>',
      'Ann <ann@harbour.example>',
      'Joan <JOAN@pier.example>',
      'joan@pier.example',
    ])
    expect(recipients).toEqual(['Ann <ann@harbour.example>', 'Joan <JOAN@pier.example>'])
    expect(pickDisplayedRecipient(recipients, null)).toBe('Ann <ann@harbour.example>')
    expect(pickDisplayedRecipient(recipients, 'joan@pier.example')).toBe('Joan <JOAN@pier.example>')
    expect(pickDisplayedRecipient(recipients, 'kim@pier.example')).toBe('Ann <ann@harbour.example>')
    expect(pickDisplayedRecipient([], 'kim@pier.example')).toBeNull()
  })
})
