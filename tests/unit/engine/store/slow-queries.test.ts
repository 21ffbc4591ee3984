import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { CACHE_FILE_KIND } from '../../../../src/engine/store/cache.ts'
import { openDatabase } from '../../../../src/engine/store/open-database.ts'
import { onSlowQuery, type SlowQuery } from '../../../../src/engine/store/watch-database.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const SLOW = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) AS largest FROM n`
let stop = (): void => undefined
afterEach(() => stop())

it('reports a query over 40 ms with its SQL but never its values', () => {
  const told: SlowQuery[] = []
  stop = onSlowQuery((query) => told.push(query))
  const { database } = openDatabase(join(temporaryDirectory(), 'cache.sqlite'), CACHE_FILE_KIND)
  told.length = 0
  const statement = database.prepare<[number], { largest: number }>(SLOW)
  expect(statement.get(10)).toEqual({ largest: 10 })
  expect(told).toEqual([])

  const many = 3_000_000
  expect(statement.all(many)).toEqual([{ largest: many }])
  expect(database.prepare<[number], number>(SLOW).pluck().get(many)).toBe(many)
  expect(told.map(({ sql, rows }) => ({ sql, rows }))).toEqual([
    { sql: SLOW, rows: 1 },
    { sql: SLOW, rows: 1 },
  ])
  expect(Math.min(...told.map(({ milliseconds }) => milliseconds))).toBeGreaterThan(40)
  database.close()
})
