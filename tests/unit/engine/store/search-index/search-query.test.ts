import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { People } from '../../../../../src/engine/store/search-index/people.ts'
import { planSearch } from '../../../../../src/engine/store/search-index/search-query.ts'
import { Spellings } from '../../../../../src/engine/store/search-index/spellings.ts'
import { Vocabulary } from '../../../../../src/engine/store/search-index/vocabulary.ts'
import { cacheSchema } from '../../../../../src/engine/store/schema.ts'
import { NO_FILTER, type TextTerm } from '../../../../../src/shared/thread-query.ts'

/** `red`, `-red` or `-red_car`, where `_` separates the words of a phrase. */
const termOf = (typed: string): TextTerm => {
  const text = typed.replace(/^-/u, '').replaceAll('_', ' ')
  return { text, isPhrase: text.includes(' '), isExcluded: typed.startsWith('-') }
}

const plan = (typed: string, lastWordIsPrefix = false) => {
  const database = new Database(':memory:')
  onTestFinished(() => {
    database.close()
  })
  database.exec(cacheSchema.sql)
  const text = typed.split(' ').map(termOf)
  const query = { ...NO_FILTER, since: null, until: null, text, lastWordIsPrefix }
  return planSearch(query, new People(database), new Vocabulary(database), new Spellings(database))
}

test.each(['red -red', '-red car red', 'red_car -red', 'old_red_car -red_car', 'Red -RÉD', 'e-mail -mail'])(
  'reads nothing for %s, which no e-mail can match',
  (typed) => {
    expect(plan(typed)).toBeNull()
  },
)

test.each(['red -car', 'red -red_car', 'red_car -car_red', 'red car -red_car', 'red -reds', 'red_car -old_red'])(
  'queries the index for %s',
  (typed) => {
    expect(plan(typed)?.expression).toContain(' NOT ')
  },
)

test('lets a word being typed differ from the excluded one', () => {
  expect(plan('-red red', true)?.expression).toContain(' NOT ')
  expect(plan('-red red', false)).toBeNull()
})
