import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HandlersOf } from '../../shared/contract.ts'
import { CACHE_NAME } from '../account.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { depthDays, setDepthDays } from '../sync/depth.ts'

/** The cache's file first: where it cannot be removed, those beside it are needed. */
const CACHE_FILES = ['', '-wal', '-shm', '-suspect'].map((ending) => `${CACHE_NAME}${ending}`)

const sizesIn = async (directory: string): Promise<readonly { readonly name: string; readonly size: number }[]> => {
  const names = await readdir(directory)
  const sizes = names.map((name) =>
    stat(join(directory, name)).then(
      ({ size }) => ({ name, size }),
      // It has gone since.
      () => ({ name, size: 0 }),
    ),
  )
  return Promise.all(sizes)
}

/** What is kept of the account on this computer, and clearing it. */
export const cacheHandlers = ({
  current,
  renew,
}: Pick<ReopeningAccount, 'current' | 'renew'>): HandlersOf<'cache'> => ({
  'cache.state': async () => {
    const { directory, cache } = current()
    const files = await sizesIn(directory)
    const sum = (some: typeof files): number => some.reduce((bytes, { size }) => bytes + size, 0)
    return {
      directory,
      bytes: sum(files),
      cacheBytes: sum(files.filter(({ name }) => CACHE_FILES.includes(name))),
      goneThreads: cache.threads.countGone(),
    }
  },
  'cache.clear': async () => {
    const { directory, cache } = current()
    // How far back bodies are fetched is the person's choice and stays.
    const days = depthDays(cache.facts)
    await renew(() => CACHE_FILES.forEach((name) => rmSync(join(directory, name), { force: true })))
    setDepthDays(current().cache.facts, days)
    return null
  },
})
