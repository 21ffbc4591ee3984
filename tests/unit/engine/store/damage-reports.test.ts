import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { CACHE_FILE_KIND } from '../../../../src/engine/store/cache.ts'
import { openDatabase } from '../../../../src/engine/store/open-database.ts'
import { onDamage, runInTransaction } from '../../../../src/engine/store/watch-database.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const errorOf = (code: string): Error => Object.assign(new Error('database disk image is malformed'), { code })

it.each([
  ['SQLITE_CORRUPT', 1],
  ['SQLITE_CORRUPT_INDEX', 1],
  ['SQLITE_NOTADB', 1],
  ['SQLITE_CORRUPT_VTAB', 0],
  ['SQLITE_FULL', 0],
])('reports a commit that fails with %s %i times', (code, times) => {
  const { database, close } = openDatabase(join(temporaryDirectory(), 'cache.sqlite'), CACHE_FILE_KIND)
  const onCorrupt = vi.fn()
  onDamage(database, onCorrupt)
  expect(runInTransaction(database, () => 7)).toBe(7)
  const commit = (): never => {
    throw errorOf(code)
  }
  vi.spyOn(database, 'transaction').mockReturnValue({ deferred: commit } as never)
  expect(() => runInTransaction(database, () => 7)).toThrow('malformed')
  expect(onCorrupt).toHaveBeenCalledTimes(times)
  close()
})
