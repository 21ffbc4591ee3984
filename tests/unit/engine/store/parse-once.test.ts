import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { preventReprepare } from '../../../../src/engine/store/open-database.ts'

const openLetters = (): Database.Database => {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  database.exec(`
    CREATE TABLE letters (key INTEGER PRIMARY KEY, inbox INTEGER NOT NULL, folder TEXT NOT NULL) STRICT;
    INSERT INTO letters (inbox, folder) VALUES (1, 'inbox'), (1, '7.0'), (2, 'inbox'), (1, 'inbox'), (1, 'trash');
  `)
  return database
}

const QUERIES: readonly { readonly sql: string; readonly parameters: readonly (string | number)[] }[] = [
  {
    sql: 'SELECT key FROM letters WHERE inbox = ? AND folder = ? ORDER BY key DESC LIMIT ? OFFSET ?',
    parameters: [1, 'inbox', 1, 1],
  },
  { sql: 'SELECT key FROM letters WHERE folder = ? ORDER BY key', parameters: [7] },
  { sql: 'SELECT key FROM letters WHERE inbox >= ? AND inbox = ? ORDER BY key LIMIT ?', parameters: [1, 1, 2] },
  { sql: 'SELECT key FROM letters WHERE inbox = ? ORDER BY key LIMIT ?', parameters: [1, -1] },
  { sql: 'SELECT count(*) FROM letters WHERE inbox = ?', parameters: [1] },
]

test.each(QUERIES)('$sql finds the same rows', ({ sql, parameters }) => {
  const database = openLetters()
  const rows = database.prepare(sql).all(...parameters)
  preventReprepare(database)
  expect(rows).not.toEqual([])
  expect(database.prepare(sql).all(...parameters)).toEqual(rows)
})

test('hides parameters from the planner in ordered queries, but keeps index bounds', () => {
  const database = openLetters()
  preventReprepare(database)
  const { source } = database.prepare(
    'SELECT key FROM letters WHERE inbox = ? AND key > ? AND folder = @folder ORDER BY key LIMIT ? OFFSET ?',
  )
  expect(source).toBe(
    'SELECT key FROM letters WHERE inbox = +? AND key > ? AND folder = +@folder ORDER BY key LIMIT 0 + ? OFFSET ?',
  )
  const plan = database.prepare('EXPLAIN QUERY PLAN SELECT key FROM letters WHERE key = ? ORDER BY inbox').all(1)
  expect(plan).toMatchObject([
    { detail: expect.stringContaining('SEARCH letters USING INTEGER PRIMARY KEY') as string },
  ])
})
