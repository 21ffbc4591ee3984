import { describe, expect, it } from 'vitest'
import { createThreadLookup } from '../../../../src/engine/own/email-threads.ts'
import { emailOf, type Words } from '../../../support/raw-payloads.ts'
import { listedThread, openTestCache } from '../support/open-test-cache.ts'
import { withMembers } from '../../../support/with-members.ts'

const email = (id: string, fields: Words = {}) =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'Ada <ada@example.com>',
    to: ['me@example.com'],
    subject: 'Invoice',
    message_id: `<${id}@example.com>`,
    text: 'Text',
    html: null,
    read: false,
    received_at: '2026-01-01T00:01:00.000Z',
    ...fields,
  })

const INVOICE = { id: 'e1', from: 'ada@example.com', subject: 'Invoice' }

describe('the thread of an account e-mail', () => {
  const withThread = (fields: Words = {}) => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, 't1', [email('e1', fields)])
    return cache
  }

  it('has an e-mail with its ID, sender and subject', () => {
    expect(createThreadLookup({ cache: withThread() }, 'received')(INVOICE)).toMatchObject({
      emailId: 'e1',
      thread: { id: 't1', folder: 'inbox' },
    })
  })

  it('has an e-mail with its Message-ID, if the copies’ IDs differ', () => {
    const cache = withThread({ id: 'inThread', message_id: '<one@example.com>' })
    const messageIds = new Map([['r1', 'one@example.com']])
    const receivedEmails = withMembers(cache.receivedEmails, {
      messageIdOf: (id: string) => messageIds.get(id) ?? null,
    })
    const threadOf = createThreadLookup({ cache: { ...cache, receivedEmails } }, 'received')
    expect(threadOf({ ...INVOICE, id: 'r1' })).toMatchObject({ emailId: 'inThread', thread: { id: 't1' } })
    expect(threadOf({ ...INVOICE, id: 'r1', from: 'eve@example.com' })).toBeNull()
  })

  it('is null if another message has its ID, or the thread has the sender’s copy', () => {
    expect(createThreadLookup({ cache: withThread() }, 'received')({ ...INVOICE, subject: 'Other' })).toBeNull()
    expect(createThreadLookup({ cache: withThread({ direction: 'outbound' }) }, 'received')(INVOICE)).toBeNull()
    expect(createThreadLookup({ cache: withThread() }, 'sent')(INVOICE)).toBeNull()
  })

  it('is unknown while e-mails of threads are still to be fetched', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], { askedAt: 0, inSent: false })
    expect(createThreadLookup({ cache }, 'received')(INVOICE)).toBe('unknown')
  })

  it('is forgotten with the e-mail', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, 't1', [email('e1')])
    cache.emails.removeAll(inbox, 't1')
    expect(createThreadLookup({ cache }, 'received')(INVOICE)).toBeNull()
  })
})
