import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Database } from '../../src/storage/database.ts'
import { readSetting, getOrCreateSigningSecret, writeSetting } from '../../src/storage/settings-table.ts'

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

  test('keeps its data after a restart', () => {
    const first = new Database(file)
    writeSetting(first, 'a', '1')
    const secret = getOrCreateSigningSecret(first)
    first.close()
    const second = new Database(file)
    expect(readSetting(second, 'a')).toBe('1')
    expect(getOrCreateSigningSecret(second).equals(secret)).toBe(true)
    second.close()
  })

  test('rolls back a failed transaction, even a nested one', () => {
    const db = new Database(file)
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

  test('streams rows while reading others', () => {
    const db = new Database(':memory:')
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

  test('rejects another program’s database and leaves it unchanged', () => {
    const other = new BetterSqlite3(file)
    other.exec('CREATE TABLE notes (text TEXT)')
    other.close()
    const before = readFileSync(file)
    expect(() => new Database(file)).toThrow(`${file} is the database of another program.`)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('rejects a file from a newer version', () => {
    new Database(file).close()
    const newer = new BetterSqlite3(file)
    newer.pragma('user_version = 999')
    newer.close()
    expect(() => new Database(file)).toThrow(`${file} was written by a newer version of this service.`)
  })
})
