import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/service/storage/database.ts'
import { readSetting, signingSecret, writeSetting } from '../../../src/service/storage/settings-table.ts'

describe("the service's database", () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-database-'))
    file = join(folder, 'mail.db')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  test('keeps what it holds over a restart', () => {
    const first = openDatabase(file)
    writeSetting(first, 'a', '1')
    const secret = signingSecret(first)
    first.close()
    const second = openDatabase(file)
    expect(readSetting(second, 'a')).toBe('1')
    expect(signingSecret(second).equals(secret)).toBe(true)
    second.close()
  })

  test('a transaction that fails leaves nothing behind, also within another', () => {
    const db = openDatabase(file)
    const fail = (name: string) => () => {
      writeSetting(db, name, 'x')
      throw new Error('half-way')
    }
    expect(() => db.transaction(fail('alone'))).toThrow('half-way')
    db.transaction(() => {
      writeSetting(db, 'outer', 'x')
      expect(() => db.transaction(fail('inner'))).toThrow('half-way')
    })
    expect(['alone', 'outer', 'inner'].map((name) => readSetting(db, name))).toEqual([null, 'x', null])
    db.close()
  })

  test('rows can be streamed while others are read', () => {
    const db = openDatabase(':memory:')
    for (const name of ['a', 'b', 'c']) writeSetting(db, name, name.toUpperCase())
    const seen: unknown[] = []
    for (const { name } of db.iterate<{ name: string }>('SELECT name FROM settings ORDER BY name')) {
      seen.push(readSetting(db, name))
      if (name === 'b') break
    }
    expect(seen).toEqual(['A', 'B'])
    writeSetting(db, 'd', 'after a broken off scan')
    db.close()
  })

  test('of an older version, an e-mail whose HTML shows an image is one with an attachment from now on', () => {
    openDatabase(file).close()
    const old = new BetterSqlite3(file)
    old.exec(`
      DROP INDEX emails_next_event;
      ALTER TABLE emails DROP COLUMN next_event_at;
      ALTER TABLE attachments DROP COLUMN is_listed;
      PRAGMA user_version = 1;
      INSERT INTO emails (seq, id, index_id, direction, received_at, stored_at, read, sender, recipients, cc, bcc, reply_to,
        delivered_to, has_attachment)
        VALUES (1, 'shows', 'a', 'inbound', 1, 1, 1, '', '[]', '[]', '[]', '[]', '[]', 0),
          (2, 'plain', 'b', 'inbound', 1, 1, 1, '', '[]', '[]', '[]', '[]', '[]', 0);
      INSERT INTO attachments (id, email_seq, position, filename, content_type, size, is_inline)
        VALUES ('logo', 1, 0, 'logo.png', 'image/png', 3, 1);
    `)
    old.close()
    const db = openDatabase(file)
    expect(db.all('SELECT id, has_attachment FROM emails ORDER BY seq')).toEqual([
      { id: 'shows', has_attachment: 1 },
      { id: 'plain', has_attachment: 0 },
    ])
    expect(db.all('SELECT id, is_listed FROM attachments')).toEqual([{ id: 'logo', is_listed: 1 }])
    db.close()
  })

  test('refuses the database of another program, and leaves it alone', () => {
    const other = new BetterSqlite3(file)
    other.exec('CREATE TABLE notes (text TEXT)')
    other.close()
    const before = readFileSync(file)
    expect(() => openDatabase(file)).toThrow(`${file} is the database of another program.`)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('refuses a file that a newer version wrote', () => {
    openDatabase(file).close()
    const newer = new BetterSqlite3(file)
    newer.pragma('user_version = 999')
    newer.close()
    expect(() => openDatabase(file)).toThrow(`${file} was written by a newer version of this service.`)
  })
})
