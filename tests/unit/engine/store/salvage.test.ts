import Database from 'better-sqlite3'
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { salvageMail } from '../../../../src/engine/store/salvage.ts'
import { emailOf, receivedEmailOf } from '../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

const now = { askedAt: 0, inSent: false }
const LARGE = '<p>Large</p>'.repeat(50_000)
const email = (id: string, html: string | null = null) =>
  emailOf({ id, from: 'ada@example.com', to: [], text: `Text of ${id}.`, html, direction: 'inbound' })

/** Fills a cache with four threads, damages it with SQL, and copies its mail to a new cache. */
const salvage = async (damage: string) => {
  const old = openTestCache()
  const threads = ['t1', 't2', 't3', 't4'].map((id, at) =>
    listedThread(id, at, { email_count: 2, labels: [{ id: 'l1', name: 'Work', color: '#112233' }] }),
  )
  old.cache.threads.storePage(old.inbox, threads, now)
  for (const { id, receivedAt } of threads) {
    old.cache.emails.storePage(old.inbox, id, [email(`${id} a`), email(`${id} b`, id === 't4' ? LARGE : null)])
    old.cache.threads.storeReading(old.inbox, id, { emailsAt: receivedAt, snippet: `About ${id}`, hasOutbound: false })
  }
  old.cache.threads.markGone(old.inbox, 't4')
  old.cache.receivedEmails.storePage([receivedEmailOf({ id: 'r1', created_at: '2026-01-01T00:00:00Z' })])
  old.cache.close()
  const database = new Database(old.file)
  database.exec(damage)
  database.close()

  const { cache, inbox, file } = openTestCache()
  const directory = dirname(file)
  const setAside = join(directory, 'old.sqlite')
  copyFileSync(old.file, setAside)
  const parts = { cache, directory, setAside, signal: new AbortController().signal }
  const isDone = await salvageMail({
    ...parts,
    keepContent: () => undefined,
    changed: () => undefined,
    report: (thrown) => expect(thrown).toBeUndefined(),
  })
  expect(isDone).toBe(true)
  while (cache.search.indexSome(1_000));
  return { cache, inbox }
}

const ids = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)

it('copies a row whose columns have other types', () => {
  const { cache, inbox } = openTestCache()
  cache.rowCopier.copy('threads', { id: 't1', inbox_key: inbox.key, folder: 7, read: 'noise', listed_at: null })
  expect(cache.threads.get(inbox, 't1')).toMatchObject({ id: 't1', read: false, onServer: false })
})

describe('a damaged cache', () => {
  it('passes on its mail with labels, texts and what the platform has dropped', async () => {
    const { cache, inbox } = await salvage('')
    const list = { offset: 0, limit: 9 }
    expect(ids(cache.threads.list(inbox, { folder: 'inbox' }, list))).toEqual(['t4', 't3', 't2', 't1'])
    expect(ids(cache.threads.list(inbox, { labelId: 'l1' }, list))).toEqual(['t4', 't3', 't2', 't1'])
    expect(ids(cache.threads.list(inbox, { isLocalOnly: true }, list))).toEqual(['t4'])
    expect(cache.threads.get(inbox, 't2')).toMatchObject({ snippet: 'About t2', subject: 'Subject t2' })
    expect(ids(cache.emails.ofThread(inbox, 't4', true))).toEqual(['t4 a', 't4 b'])
    expect(cache.emails.get(inbox, 't4', 't4 b')?.html).toBe(LARGE)
    expect(ids(cache.receivedEmails.list(list))).toEqual(['r1'])
    expect(cache.backlog.count(inbox.key, 0)).toBe(0)
    expect(cache.search.extent(inbox.key)).toEqual({ emails: 8, of: 8 })
  })

  it('has threads completed from which an e-mail was lost, if the platform has them', async () => {
    const { cache, inbox } = await salvage(`
      DELETE FROM emails WHERE id = 't1 a' OR id LIKE 't4%';
      UPDATE emails SET wire = 'damaged' WHERE id = 't2 b';`)
    const lacking = ids(cache.backlog.page(inbox.key, 0, null, 9).map(({ threadId }) => ({ id: threadId })))
    expect(lacking).toEqual(['t2', 't1'])
    expect(cache.threads.emailsComplete(inbox, 't3')).toBe(true)
    expect(cache.threads.emailsComplete(inbox, 't4')).toBe(false)
  })

  it('passes on threads with a damaged payload or damaged columns', async () => {
    const { cache, inbox } = await salvage(`
      UPDATE threads SET wire = 'damaged' WHERE id = 't1';
      UPDATE threads SET folder = 'no folder', received_at = 7, label_ids = '{' WHERE id = 't4';`)
    expect(ids(cache.threads.list(inbox, { folder: 'inbox' }, { offset: 0, limit: 9 }))).toEqual([
      't4',
      't3',
      't2',
      't1',
    ])
    expect(ids(cache.threads.list(inbox, { labelId: 'l1' }, { offset: 0, limit: 9 }))).toContain('t4')
    expect(ids(cache.emails.ofThread(inbox, 't1', true))).toEqual(['t1 a', 't1 b'])
  })
})
