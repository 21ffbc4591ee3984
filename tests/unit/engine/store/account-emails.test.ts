import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { receivedEmailOf, sentEmailOf, type Words } from '../../../support/raw-payloads.ts'
import { openTestCache } from '../support/open-test-cache.ts'

const created_at = '2026-01-01T00:00:00.000Z'
const window = { offset: 0, limit: 5 }

const keptIn = (file: string): readonly string[] => {
  const database = new Database(file, { readonly: true })
  const kept = database.prepare<[], string>('SELECT wire FROM received_emails ORDER BY id').pluck().all()
  database.close()
  return kept
}

describe('the cache of account e-mails', () => {
  it.each([{ attachments: 'none' }, { attachments: [null, 7, { filename: 8 }] }, { attachments: { a: 1 } }])(
    'keeps a sent e-mail with an invalid attachment list: %j',
    (fields) => {
      const { cache } = openTestCache()
      cache.sentEmails.storePage([sentEmailOf({ id: 's1', subject: 'Tide tables', created_at, ...fields })])
      expect(cache.sentEmails.list(window)).toMatchObject([{ id: 's1', subject: 'Tide tables' }])
    },
  )

  it('never stores the signed URL of a raw message', () => {
    const { cache, file } = openTestCache()
    const raw = { download_url: 'https://files.example/signed?token=abc', expires_at: created_at }
    cache.receivedEmails.storePage([receivedEmailOf({ id: 'listed', created_at, raw })])
    cache.receivedEmails.storeWhole(receivedEmailOf({ id: 'whole', created_at, raw, html: '<p>Hello</p>' }))
    cache.receivedEmails.storePage([receivedEmailOf({ id: 'whole', created_at, raw })])
    expect(keptIn(file)).toHaveLength(2)
    expect(keptIn(file).join()).not.toContain('signed')
    expect(cache.receivedEmails.get('whole')).toMatchObject({ hasRaw: true, html: '<p>Hello</p>' })
  })

  it.each(['receivedEmails', 'sentEmails'] as const)('lists %s of one time in the platform’s order', (list) => {
    const { cache } = openTestCache()
    const store = (ids: readonly string[]): void => {
      const words = ids.map((id) => ({
        id,
        subject: 'Tide',
        created_at: id === 'last' ? '2025-01-01T00:00:00.000Z' : created_at,
      }))
      if (list === 'receivedEmails') cache.receivedEmails.storePage(words.map(receivedEmailOf))
      else cache.sentEmails.storePage(words.map(sentEmailOf))
    }
    const tide = {
      ...{ text: [{ text: 'tide', isPhrase: false, isExcluded: false }], from: [], to: [], cc: [], bcc: [] },
      ...{ hasAttachment: null, kinds: null, since: null, until: null },
    }
    const expectOrder = (ids: readonly string[]): void => {
      expect(cache[list].list({ offset: 0, limit: 9 }).map(({ id }) => id)).toEqual(ids)
      const found = cache[list].search(tide, null, { limit: 9, milliseconds: 10_000 })?.rowKeys ?? []
      expect(found.map((key) => cache[list].found(key)?.listed.id)).toEqual(ids)
    }
    store(['m', 'c', 'x', 'last'])
    expectOrder(['m', 'c', 'x', 'last'])
    store(['newest', 'new', 'm', 'c'])
    expectOrder(['newest', 'new', 'm', 'c', 'x', 'last'])
  })

  it.each(['receivedEmails', 'sentEmails'] as const)(
    'keeps known fields of %s if a later response lacks them',
    (list) => {
      const { cache } = openTestCache()
      const head = { from: 'Ada <ada@mail.example>', to: ['me@mail.example'], subject: 'Tide', message_id: '<1@x>' }
      const known = { id: 'e1', created_at, ...head }
      const empty = { id: 'e1', created_at: null, from: null, to: null, subject: null, message_id: null }
      const [store, whole] =
        list === 'receivedEmails'
          ? [
              (words: Words) => cache.receivedEmails.storePage([receivedEmailOf(words)]),
              (words: Words) => cache.receivedEmails.storeWhole(receivedEmailOf(words)),
            ]
          : [
              (words: Words) => cache.sentEmails.storePage([sentEmailOf(words)]),
              (words: Words) => cache.sentEmails.storeWhole(sentEmailOf(words)),
            ]
      const shown = { from: head.from, to: head.to, subject: 'Tide', createdAt: Date.parse(created_at) }
      store(known)
      whole({ ...empty, html: '<p>Hello</p>' })
      expect(cache[list].get('e1')).toMatchObject({ ...shown, messageId: '<1@x>', html: '<p>Hello</p>' })
      whole({ ...empty, html: null, text: '' })
      store(empty)
      expect(cache[list].get('e1')).toMatchObject({ ...shown, html: '<p>Hello</p>' })
      expect(cache[list].list(window)).toMatchObject([{ ...shown, id: 'e1' }])
      whole({ ...known, subject: 'Tide tables' })
      expect(cache[list].get('e1')).toMatchObject({ subject: 'Tide tables' })
    },
  )

  it('updates a complete e-mail from a list without losing anything', () => {
    const { cache } = openTestCache()
    cache.sentEmails.storeWhole(sentEmailOf({ id: 's1', created_at, text: 'Hello', last_event: 'sent' }))
    cache.sentEmails.storePage([sentEmailOf({ id: 's1', created_at, last_event: 'delivered' })])
    expect(cache.sentEmails.get('s1')).toMatchObject({ text: 'Hello', lastEvent: 'delivered' })
  })
})
