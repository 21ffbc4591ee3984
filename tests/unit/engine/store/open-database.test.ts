import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CACHE_FILE_KIND } from '../../../../src/engine/store/cache.ts'
import { openDatabase, type DatabaseFileKind, type OpenedDatabase } from '../../../../src/engine/store/open-database.ts'
import { toStorageError } from '../../../../src/engine/store/storage-problem.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const open = (file: string): OpenedDatabase => {
  const opened = openDatabase(file, CACHE_FILE_KIND)
  onTestFinished(() => void opened.database.close())
  return opened
}
const messageOf = (work: () => unknown): string => {
  try {
    work()
    return 'no error'
  } catch (thrown) {
    const inWords = toStorageError(thrown)
    return inWords instanceof Error ? inWords.message : 'no words'
  }
}

const replaceAll = (bytes: Buffer, from: string, to: string): void => {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
}

describe('opening a file', () => {
  it('sets a file that is no database aside byte for byte, and starts afresh', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    writeFileSync(file, 'A letter, not a database. '.repeat(100))
    const { setAside, database } = open(file)
    expect(readFileSync(setAside ?? '', 'utf8')).toMatch(/^A letter/)
    expect(database.prepare('SELECT count(*) FROM threads').pluck().get()).toBe(0)
  })

  it('sets a foreign database aside', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    const foreign = new Database(file)
    foreign.exec("CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')")
    foreign.close()
    const { setAside } = open(file)
    const kept = new Database(setAside ?? '', { readonly: true })
    onTestFinished(() => void kept.close())
    expect(kept.prepare('SELECT name FROM recipes').pluck().all()).toEqual(['soup'])
  })

  it('sets aside a file with a foreign trigger or view, whatever its name', () => {
    for (const extra of [
      'CREATE TRIGGER sqliteXtrigger AFTER INSERT ON threads BEGIN DELETE FROM inboxes; END',
      'CREATE VIEW sqliteXview AS SELECT 1',
    ]) {
      const file = join(temporaryDirectory(), 'cache.sqlite')
      openDatabase(file, CACHE_FILE_KIND).close()
      const other = new Database(file)
      other.exec(extra)
      other.close()
      expect(open(file).setAside).not.toBeNull()
    }
  })

  it('opens a file whose stored schema has other comments', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    openDatabase(file, CACHE_FILE_KIND).close()
    const other = new Database(file)
    expect(other.prepare("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%--%'").pluck().get()).toBe(0)
    other.unsafeMode()
    other.pragma('writable_schema = ON')
    other.exec(`UPDATE sqlite_schema SET sql = replace(sql, 'TABLE inboxes (', 'TABLE inboxes (' || char(10) ||
      '-- Was worded differently.' || char(10)) WHERE name = 'inboxes'`)
    other.close()
    expect(open(file).setAside).toBeNull()
  })

  it('checks a file that wasn’t closed cleanly, and sets it aside if damaged', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    const { cache, inbox } = openTestCache(file)
    const subject = 'x'.repeat(10_000)
    const many = Array.from({ length: 2000 }, (_, minute) => listedThread(`t${minute}`, minute, { subject }))
    cache.threads.storePage(inbox, many, { askedAt: 0, inSent: false })
    cache.close()
    const bytes = readFileSync(file)
    bytes.fill(0xff, Math.floor(bytes.length / 3), Math.floor(bytes.length / 3) + 40_960)
    writeFileSync(file, bytes)
    expect(bytes.length).toBeGreaterThan(16 * 1024 * 1024)
    writeFileSync(`${file}-suspect`, '')
    const { setAside, database } = open(file)
    expect(existsSync(setAside ?? '')).toBe(true)
    expect(database.prepare('SELECT count(*) FROM threads').pluck().get()).toBe(0)
    database.close()
    expect(open(file).setAside).toBeNull()
  })

  it('leaves a file of a newer Linnet unchanged, and says so', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    const newer = openDatabase(file, CACHE_FILE_KIND).database
    newer.pragma('user_version = 99')
    newer.exec('UPDATE version_stamp SET version = 99; CREATE TABLE of_the_future (a)')
    newer.close()
    expect(messageOf(() => open(file))).toMatch(/newer version of Linnet/)
    expect(existsSync(file)).toBe(true)
  })

  it.each([
    ['a version that the file itself contradicts', (bytes: Buffer) => bytes.writeUInt32BE(99, 60)],
    ['no version at all', (bytes: Buffer) => bytes.writeUInt32BE(0, 60)],
    ['the letters of another program', (bytes: Buffer) => bytes.writeUInt32BE(0x1234_5678, 68)],
    ['a format that may only be read', (bytes: Buffer) => bytes.writeUInt8(3, 18)],
    ['another encoding', (bytes: Buffer) => bytes.writeUInt32BE(2, 56)],
    ['another size of pages', (bytes: Buffer) => bytes.writeUInt16BE(1024, 16)],
    ['a schema with a letter that is wrong', (bytes: Buffer) => replaceAll(bytes, 'received_at', 'recieved_at')],
  ])('treats a header with %s as damage, not as a newer or another program’s', (_what, damage) => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    openTestCache(file).cache.close()
    const bytes = readFileSync(file)
    damage(bytes)
    writeFileSync(file, bytes)
    const { setAside } = open(file)
    expect(readFileSync(setAside ?? '').equals(bytes)).toBe(true)
  })

  it('migrates a file with its content, which an older Linnet then leaves alone', () => {
    const file = join(temporaryDirectory(), 'notes.sqlite')
    const first: DatabaseFileKind = {
      applicationId: 0x4c4e_5465,
      migrations: [{ version: 1, sql: 'CREATE TABLE notes (text TEXT) STRICT' }],
      isDurable: false,
    }
    const next = { version: 2, sql: 'ALTER TABLE notes ADD COLUMN at INTEGER NOT NULL DEFAULT 7' }
    const second: DatabaseFileKind = { ...first, migrations: [...first.migrations, next] }
    const before = openDatabase(file, first)
    before.database.exec("INSERT INTO notes VALUES ('kept')")
    before.close()
    const after = openDatabase(file, second)
    expect(after).toMatchObject({ setAside: null, isNew: false })
    expect(after.database.prepare('SELECT * FROM notes').all()).toEqual([{ text: 'kept', at: 7 }])
    expect(after.database.prepare('SELECT version FROM version_stamp').pluck().all()).toEqual([2])
    after.close()
    expect(openDatabase(file, second)).toMatchObject({ setAside: null, isNew: false })
    expect(() => openDatabase(file, first)).toThrow(/newer version of Linnet/)
  })

  it.skipIf(process.getuid?.() === 0)('says that a folder isn’t writable', () => {
    const directory = temporaryDirectory()
    chmodSync(directory, 0o500)
    expect(messageOf(() => open(join(directory, 'cache.sqlite')))).toMatch(/permissions/)
    chmodSync(directory, 0o700)
  })

  it('reports a full disk, and continues once there is space', () => {
    const { database } = open(join(temporaryDirectory(), 'cache.sqlite'))
    const pages = Number(database.pragma('page_count', { simple: true }))
    database.pragma(`max_page_count = ${pages}`)
    const fill = database.prepare("INSERT OR REPLACE INTO account_meta VALUES ('big', ?)")
    expect(messageOf(() => fill.run('x'.repeat(100_000)))).toMatch(/disk is full/)
    database.pragma('max_page_count = 1000000')
    expect(fill.run('x'.repeat(100_000)).changes).toBe(1)
  })
})
