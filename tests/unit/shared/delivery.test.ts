import { describe, expect, it } from 'vitest'
import {
  explainDeliveryFailure,
  findFailedAddress,
  isDeliveryFailure,
  nameAffected,
  type DeliveryFailure,
} from '../../../src/shared/delivery.ts'

const NOTHING: DeliveryFailure = { type: null, subType: null, message: null, recipients: [] }
const REMOVE = 'To send to it, remove it from that list.'
const PERMANENT = `The platform added the address to its suppression list. ${REMOVE}`
const TRANSIENT = 'The address was not suppressed, so you can try again later.'
const CHECK = 'Check the address before you send it again.'

describe('the reason of a failed delivery', () => {
  it.each<readonly [string, string, string, string, boolean]>([
    ['Permanent', 'General', 'permanently rejected', PERMANENT, true],
    [
      'Permanent',
      'NoEmail',
      'permanently rejected, for an address that the server did not name',
      CHECK,
      // The platform may not know which address to suppress.
      false,
    ],
    ['Permanent', 'Suppressed', 'held back by the platform because of earlier bounces', CHECK, false],
    ['Permanent', 'OnAccountSuppressionList', 'address on the suppression list', REMOVE, true],
    ['Transient', 'General', 'temporarily rejected', TRANSIENT, false],
    ['Temporary', 'General', 'temporarily rejected', TRANSIENT, false],
    ['Transient', 'MailboxFull', 'mailbox full', `Wait until the mailbox has room. ${TRANSIENT}`, false],
    ['Transient', 'MessageTooLarge', 'message too large', `Send fewer or smaller attachments. ${TRANSIENT}`, false],
    ['Transient', 'ContentRejected', 'content refused', `Change the text. ${TRANSIENT}`, false],
    [
      'Transient',
      'AttachmentRejected',
      'attachment refused',
      `Leave out the attachment, or send a link to it. ${TRANSIENT}`,
      false,
    ],
    ['Permanent', 'MailboxFull', 'mailbox full', `Wait until the mailbox has room. ${PERMANENT}`, true],
    ['Undetermined', 'Undetermined', 'rejected without a clear reason', CHECK, false],
    ['Undetermined', 'MailboxFull', 'mailbox full', 'Wait until the mailbox has room.', false],
  ])('follows from the type and the subtype: %s %s', (type, subType, reason, advice, isSuppressed) => {
    expect(explainDeliveryFailure('bounced', { ...NOTHING, type, subType })).toEqual({
      ...{ reason, advice, isSuppressed, isKnown: true, quote: null },
    })
  })

  it.each([
    ['smtp; 550 5.1.1 The mailbox does not exist.', 'no such address', null],
    ['smtp; 550-5.1.1 no such user', 'no such address', null],
    ['550 5.1.2 Unknown host', 'no such domain', null],
    ['450 4.2.1 Disabled', 'mailbox disabled', null],
    ['452 4.2.2 Over quota', 'mailbox full', null],
    ['552 5.2.3 Too long', 'message too large', null],
    ['552 5.3.4 Too big', 'message too large', null],
    ['554 5.7.1 Blocked', 'permanently rejected', 'The server said: “554 5.7.1 Blocked”.'],
    ['Host 5.1.1.7 refused', 'permanently rejected', 'The server said: “Host 5.1.1.7 refused”.'],
    ['Host 10.5.1.1 refused', 'permanently rejected', 'The server said: “Host 10.5.1.1 refused”.'],
  ])('follows from the server’s reply if the subtype says nothing: %s', (message, reason, quote) => {
    const failure = { ...NOTHING, type: 'Permanent', subType: 'General', message }
    expect(explainDeliveryFailure('bounced', failure)).toMatchObject({ reason, quote })
  })

  it.each([
    ['failed', { message: 'reached_daily_quota' }, 'your daily quota is used up', null],
    ['failed', { message: 'domain' }, 'the platform could not send the message', 'The platform said: “domain”.'],
    ['failed', {}, 'the platform could not send the message', null],
    [
      'suppressed',
      { type: 'OnAccountSuppressionList', message: 'Suppressed' },
      'the address is on the platform’s suppression list',
      null,
    ],
    ['complained', {}, 'the recipient reported the message', null],
    [
      'bounced',
      { type: 'Undetermined', subType: 'Undetermined', message: 'No' },
      'rejected without a clear reason',
      'The server said: “No”.',
    ],
    ['bounced', { subType: 'MessageRejected' }, 'the recipient’s server rejected the message', null],
    ['bounced', { type: 'constructor', subType: '__proto__' }, 'the recipient’s server rejected the message', null],
  ])(
    'is the event itself, or what the platform says, if nothing else is known: %s %j',
    (event, given, reason, quote) => {
      expect(explainDeliveryFailure(event, { ...NOTHING, ...given })).toMatchObject({ reason, quote })
    },
  )

  it('is the event itself without a webhook', () => {
    expect(explainDeliveryFailure('bounced', null)).toEqual({
      ...{ reason: 'the recipient’s server rejected the message', advice: CHECK },
      ...{ isKnown: false, isSuppressed: false, quote: null },
    })
    expect(explainDeliveryFailure('suppressed', null)).toMatchObject({ isKnown: false, isSuppressed: true })
  })

  it('shows hostile text as one short line without hidden characters', () => {
    const message = `\u202eGo to\n\nhttps://evil.example\u0000 ${'x'.repeat(900)}`
    const quote = explainDeliveryFailure('bounced', { ...NOTHING, message })?.quote ?? ''
    expect(quote).toMatch(/^The server said: “\ufffdGo to https:\/\/evil\.example\ufffd x+…”\.$/)
    expect(quote.length).toBeLessThan(230)
  })

  it.each(['delivered', 'sent', 'bounced Permanent', 'constructor', '', null])('doesn’t exist for %j', (event) => {
    expect(isDeliveryFailure(event)).toBe(false)
    expect(explainDeliveryFailure(event, { ...NOTHING, type: 'Permanent' })).toBeNull()
  })
})

describe('the recipient that a failure is about', () => {
  const of = (...recipients: readonly string[]): DeliveryFailure => ({ ...NOTHING, recipients })

  it('is named only if the event names fewer than all', () => {
    expect(nameAffected(of('Ada <ada@pier.example>'), 3)).toBe('ada@pier.example')
    expect(nameAffected(of('ada@pier.example', 'bo@pier.example'), 3)).toBe('ada@pier.example and 1 more')
    expect(nameAffected(of('ada@pier.example', 'bo@pier.example'), 2)).toBeNull()
    expect(nameAffected(of(), 3)).toBeNull()
    expect(nameAffected(null, 3)).toBeNull()
    expect(nameAffected(of(`\u202e${'x'.repeat(900)}`), 3)).toMatch(/^\ufffdx{78}…$/)
  })

  it('is known if the event names one, or there is only one', () => {
    const all = ['Ada <ada@pier.example>', 'bo@pier.example']
    expect(findFailedAddress(of('bo@pier.example'), all)).toBe('bo@pier.example')
    expect(findFailedAddress(of(), all)).toBeNull()
    expect(findFailedAddress(null, all)).toBeNull()
    expect(findFailedAddress(null, all.slice(0, 1))).toBe('ada@pier.example')
    expect(findFailedAddress(of(...all), all)).toBeNull()
    expect(findFailedAddress(null, [])).toBeNull()
  })
})
