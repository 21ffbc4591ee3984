import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CACHE_FILE_KIND } from '../../../../src/engine/store/cache.ts'
import { countRows, readInboxNames } from '../../../../src/engine/store/read-database-file.ts'
import { readDirectoryUsage } from '../../../../src/engine/store/directory-usage.ts'
import { openDatabase, type DatabaseFileKind } from '../../../../src/engine/store/open-database.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const FILES = { cache: 'cache.sqlite', own: 'own.sqlite' }
const INBOX = { id: 'inbox-1', address: 'harbour@heron.example' }

const makeCache = (kind: DatabaseFileKind = CACHE_FILE_KIND) => {
  const directory = temporaryDirectory()
  const file = join(directory, FILES.cache)
  const opened = openDatabase(file, kind)
  opened.database.exec(`
    INSERT INTO inboxes (key, id, position, on_server, wire)
    VALUES (1, '${INBOX.id}', 0, 1, '{"id":"${INBOX.id}","email_address":"${INBOX.address}"}');
    INSERT INTO threads
      (inbox_key, id, received_at, listed_at, folder, read, label_ids, has_outbound, in_sent, on_server, wire)
    VALUES (1, 't1', 5, 5, 'inbox', 0, '[]', 0, 0, 1, '{"id":"t1"}'), (1, 't2', 6, 6, 'inbox', 0, '[]', 0, 0, 0, '{"id":"t2"}');
  `)
  onTestFinished(() => opened.close())
  return { directory, file, ...opened }
}

const lookEverywhere = async ({ directory, file }: { readonly directory: string; readonly file: string }) => {
  const { localOnlyThreads, unsentChanges } = await readDirectoryUsage(directory, FILES)
  return { inboxes: readInboxNames(file), threads: countRows(file).threads, localOnlyThreads, unsentChanges }
}
const SEEN = { inboxes: [INBOX], threads: 2, localOnlyThreads: 1, unsentChanges: 0 }

describe('reading a closed cache', () => {
  it('leaves its folder untouched, so that the next start needs no check', async () => {
    const cache = makeCache()
    cache.close()
    const before = readFileSync(cache.file)
    expect(await lookEverywhere(cache)).toEqual(SEEN)
    expect(readdirSync(cache.directory)).toEqual([FILES.cache])
    expect(readFileSync(cache.file).equals(before)).toBe(true)
  })

  it('sees the data during writes without disturbing them', async () => {
    const cache = makeCache()
    cache.database.exec('BEGIN IMMEDIATE; DELETE FROM threads')
    expect(await lookEverywhere(cache)).toEqual(SEEN)
    cache.database.exec('COMMIT')
    expect(await lookEverywhere(cache)).toEqual({ ...SEEN, threads: 0, localOnlyThreads: 0 })
    expect(readdirSync(cache.directory)).toContain(`${FILES.cache}-wal`)
  })

  it.each([null, '', 'A letter, not a database. '.repeat(100)])('finds nothing in a broken file: %j', async (text) => {
    const directory = temporaryDirectory()
    const file = join(directory, FILES.cache)
    if (text !== null) writeFileSync(file, text)
    const usage = await readDirectoryUsage(directory, FILES)
    expect(usage).toEqual({ bytes: text?.length ?? 0, unsentChanges: 0, localOnlyThreads: 0 })
    expect([readInboxNames(file), countRows(file)]).toEqual([[], {}])
    expect(readdirSync(directory)).toEqual(text === null ? [] : [FILES.cache])
    if (text !== null) expect(readFileSync(file, 'utf8')).toBe(text)
  })
})
