import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { People } from '../../../../../src/engine/store/search-index/people.ts'

const openPeople = (): Database.Database => {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  database.exec(`
    CREATE TABLE search_people (key INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    CREATE VIRTUAL TABLE search_people_parts USING fts5 (
      text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
    );
  `)
  return database
}

const meeting = fc.record({
  names: fc.array(fc.constantFrom('ada', 'ben', 'cleo', 'dan', 'eva'), { maxLength: 4 }),
  isCleared: fc.boolean(),
  isTakenBack: fc.boolean(),
})

test('gives each person the key of their row, even after a rollback or rebuild', () => {
  fc.assert(
    fc.property(fc.array(meeting), (meetings) => {
      const database = openPeople()
      const people = new People(database)
      const keyOf = database.prepare<[string], number>('SELECT key FROM search_people WHERE text = ?').pluck()
      for (const { names, isCleared, isTakenBack } of meetings) {
        people.settle()
        database.exec('BEGIN')
        if (isCleared) people.clear()
        for (const name of names) {
          const { key, words } = people.named(`${name.toUpperCase()} <${name}@pier.example>`)
          expect(key).toBe(keyOf.get(`${name}\n${name}@pier.example`))
          expect(words).toEqual([[name], [name, 'pier', 'example']])
        }
        database.exec(isTakenBack ? 'ROLLBACK' : 'COMMIT')
      }
    }),
  )
})
