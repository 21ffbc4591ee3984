import { describe, expect, it } from 'vitest'
import { findSentCopy, type ThreadMessage } from '../../../../src/engine/store/same-message.ts'
import { sentEmailOf } from '../../../support/raw-payloads.ts'
import { openTestCache } from '../support/open-test-cache.ts'

const created_at = '2026-01-01T10:00:00.000Z'
const MESSAGE: ThreadMessage = {
  id: 'e1',
  from: 'Support <me@example.com>',
  subject: 'Berth for the Kittiwake',
  messageId: '<m1@example.com>',
  receivedAt: Date.parse(created_at),
}
const WORDS = { created_at, from: 'me@example.com', subject: MESSAGE.subject, message_id: 'm1@example.com' }

const copyAmong = (...sent: readonly (typeof WORDS & { readonly id: string })[]): string | undefined => {
  const { cache } = openTestCache()
  cache.sentEmails.storePage(sent.map(sentEmailOf))
  return findSentCopy(cache.sentEmails, MESSAGE)?.id
}

describe('the sent copy of a thread’s e-mail', () => {
  it('has the same ID', () => {
    expect(copyAmong({ ...WORDS, id: 'e0', message_id: 'm0@example.com' }, { ...WORDS, id: 'e1' })).toBe('e1')
  })

  it('has the same Message-ID if the platform uses another ID', () => {
    expect(copyAmong({ ...WORDS, id: 's7' })).toBe('s7')
  })

  it('is not an e-mail that shares only its ID or Message-ID', () => {
    expect(copyAmong({ ...WORDS, id: 'e1', subject: 'Another', message_id: 'm2@example.com' })).toBeUndefined()
    expect(copyAmong({ ...WORDS, id: 's7', from: 'you@example.com' })).toBeUndefined()
    expect(copyAmong({ ...WORDS, id: 's7', created_at: '2026-01-05T10:00:00.000Z' })).toBeUndefined()
    expect(copyAmong()).toBeUndefined()
  })
})
