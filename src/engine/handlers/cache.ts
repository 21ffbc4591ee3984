import { rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { DomainHandlers } from '../../shared/contract.ts'
import type { OwnPart } from '../account-own.ts'
import { CACHE_NAME } from '../own/account-files.ts'
import { BLOBS_DIRECTORY_NAME } from '../store/blobs.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { listFileSizes } from '../store/directory-usage.ts'

/** The cache file comes first: if it can't be deleted, the other files are still needed. */
const CACHE_FILES = [
  ...['', '-wal', '-shm', '-suspect'].map((ending) => `${CACHE_NAME}${ending}`),
  BLOBS_DIRECTORY_NAME,
]
const isOfCache = (path: string): boolean => CACHE_FILES.includes(path.split(sep)[0] ?? '')

export const createCacheHandlers = (
  directory: string,
  { cache }: OwnPart,
  reopening: Pick<ReopeningAccount, 'resetFiles'>,
): DomainHandlers<'cache'> => ({
  'cache.state': async () => {
    const files = await listFileSizes(directory)
    const sum = (some: typeof files): number => some.reduce((bytes, { size }) => bytes + size, 0)
    return {
      directory,
      bytes: sum(files),
      cacheBytes: sum(files.filter(({ path }) => isOfCache(path))),
      localOnlyThreads: cache.threads.countGone(),
    }
  },
  'cache.clear': async () => {
    await reopening.resetFiles(() =>
      CACHE_FILES.forEach((name) => rmSync(join(directory, name), { recursive: true, force: true })),
    )
  },
})
