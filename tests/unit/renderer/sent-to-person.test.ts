import { describe, expect, it } from 'vitest'
import { isDeliveryFailure } from '../../../src/shared/delivery.ts'
import {
  listUnambiguousRecipients,
  pickDisplayedRecipient,
} from '../../../src/renderer/features/person/visible-email.ts'
import { describeDelivery, explainDelivery } from '../../../src/renderer/features/deliveries/describe-last-event.ts'

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
