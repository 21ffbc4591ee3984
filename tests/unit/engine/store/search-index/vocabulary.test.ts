import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { Vocabulary } from '../../../../../src/engine/store/search-index/vocabulary.ts'
import { tokenizeWords } from '../../../../../src/shared/search/word-tokenizer.ts'

const openTerms = (): Database.Database => {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  database.exec(`
    CREATE TABLE search_terms (term TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE search_state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `)
  return database
}
const termsOf = (database: Database.Database): readonly string[] =>
  database.prepare<[], string>('SELECT term FROM search_terms').pluck().all()

const words = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 5 })), { maxLength: 30 })
  .map((texts) => tokenizeWords(texts.join(' ')))

/** Simple reference implementation. */
const plainBeginnings = (fields: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(
    fields.flat().flatMap((word) => {
      const letters = Array.from(word)
      const two = letters.length > 1 ? [`_q${letters.slice(0, 2).join('')}`] : []
      return letters.length > 2 ? [...two, `_r${letters.slice(0, 3).join('')}`] : two
    }),
  ),
]
const plainTerms = (fields: readonly (readonly string[])[]): readonly string[] =>
  [...fields.flat(), ...plainBeginnings(fields).filter((token) => token.startsWith('_q'))]
    .filter((word) => Array.from(word).length > 3)
    .map((word) => Array.from(word).slice(0, 32).join(''))

test('indexes two- and three-letter prefixes once per e-mail, in word order', () => {
  const vocabulary = new Vocabulary(openTerms())
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), (fields) => {
      expect(vocabulary.read(fields).beginnings).toEqual(plainBeginnings(fields))
    }),
  )
})

test('keeps every word of four letters or more, even after a rollback or rebuild', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ fields: fc.array(words, { maxLength: 3 }), isTakenBack: fc.boolean() })),
      (emails) => {
        const database = openTerms()
        const vocabulary = new Vocabulary(database)
        for (const { fields, isTakenBack } of emails) {
          database.exec('BEGIN')
          vocabulary.keep(vocabulary.read(fields))
          database.exec(isTakenBack ? 'ROLLBACK' : 'COMMIT')
        }
        const kept = emails.filter(({ isTakenBack }) => !isTakenBack).flatMap(({ fields }) => plainTerms(fields))
        expect(new Set(termsOf(database))).toEqual(new Set(kept))
        database.close()
      },
    ),
  )
})
