import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CACHE_NAME } from '../../../src/engine/own/account-files.ts'
import { StoredBlobs, type Blobs } from '../../../src/engine/store/blobs.ts'
import { openCache } from '../../../src/engine/store/cache.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const { writeFile } = promises
/** Limits the disk to this many bytes per file until the test ends. */
const fillDisk = (room: number): void => {
  const replaceBy = (write: object): void => {
    Object.assign(promises, { writeFile: write })
    // Replaces named imports as well.
    syncBuiltinESMExports()
  }
  onTestFinished(() => replaceBy(writeFile))
  replaceBy(async (file: string, bytes: Uint8Array, options: object) => {
    await writeFile(file, bytes.subarray(0, room), options)
    if (bytes.byteLength > room) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
}

const PENDING = {
  threads: { overlay: () => ({}), marks: () => undefined, confirmedSince: () => ({}) },
  topics: () => new Map(),
} as never

const openStore = (
  directory = temporaryDirectory(),
  options: ConstructorParameters<typeof StoredBlobs>[3] = {},
): { readonly blobs: Blobs; readonly directory: string; readonly close: () => void } => {
  const { cache } = openCache(join(directory, CACHE_NAME), PENDING)
  const ending = new AbortController()
  const close = (): void => {
    ending.abort(new Error('closed'))
    cache.close()
  }
  onTestFinished(close)
  return { blobs: new StoredBlobs(directory, cache.blobs, ending.signal, options), directory, close }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const fileOf = (directory: string, bytes: Uint8Array): string => {
  const digest = digestOf(bytes)
  return join(directory, 'blobs', digest.slice(0, 2), digest)
}
const filesIn = (directory: string): readonly string[] =>
  existsSync(join(directory, 'blobs'))
    ? readdirSync(join(directory, 'blobs'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : []
const PLAIN = { contentType: 'text/plain' }

describe('the stored files of an account', () => {
  it('are read back byte for byte, also after a restart', async () => {
    const first = openStore()
    const large = new Uint8Array(3 * 1024 * 1024 + 7).map((_, index) => index % 251)
    await first.blobs.put('attachment large', large, { contentType: null })
    await first.blobs.put('attachment none', new Uint8Array(), PLAIN)
    first.close()
    const { blobs } = openStore(first.directory)
    expect(await blobs.get('attachment large')).toMatchObject({ digest: digestOf(large), contentType: null })
    expect(Buffer.compare((await blobs.get('attachment large'))?.bytes ?? bytesOf(''), large)).toBe(0)
    expect(await blobs.get('attachment none')).toMatchObject({ bytes: new Uint8Array(), contentType: 'text/plain' })
    expect(blobs.metadata('attachment large')).toMatchObject({ bytes: large.byteLength })
    expect(await blobs.get('attachment other')).toBeNull()
  })

  it('are readable only by their owner', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('for one person')
    await blobs.put('attachment 1', bytes, PLAIN)
    const file = fileOf(directory, bytes)
    expect(readFileSync(file, 'utf8')).toBe('for one person')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'blobs')).mode & 0o777).toBe(0o700)
  })

  it('are stored once for two keys with the same bytes', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('the same')
    await Promise.all([blobs.put('one', bytes, PLAIN), blobs.put('two', bytes, { contentType: 'text/html' })])
    expect(filesIn(directory)).toEqual([digestOf(bytes)])
    blobs.remove('one')
    expect(blobs.has('one')).toBe(false)
    expect(await blobs.get('two')).toMatchObject({ bytes, contentType: 'text/html' })
    blobs.remove('two')
    expect(filesIn(directory)).toEqual([])
  })

  it('leave nothing behind when replaced', async () => {
    const { blobs, directory } = openStore()
    await blobs.put('one', bytesOf('before'), PLAIN)
    await blobs.put('one', bytesOf('after'), PLAIN)
    expect(filesIn(directory)).toEqual([digestOf(bytesOf('after'))])
    expect(await blobs.get('one')).toMatchObject({ bytes: bytesOf('after') })
  })

  it.each<readonly [string, (file: string) => void]>([
    [
      'a different byte',
      (file) => {
        const open = openSync(file, 'r+')
        writeSync(open, 'X', 3)
        closeSync(open)
      },
    ],
    ['a shorter file', (file) => truncateSync(file, 3)],
    ['an empty file', (file) => truncateSync(file, 0)],
  ])('count as missing under each key if damaged (%s)', async (_, damage) => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('whole and sound')
    await blobs.put('one', bytes, PLAIN)
    await blobs.put('two', bytes, PLAIN)
    damage(fileOf(directory, bytes))
    expect(await blobs.get('one')).toBeNull()
    expect(blobs.has('one')).toBe(false)
    expect(blobs.has('two')).toBe(false)
    expect(filesIn(directory)).toEqual([])
    await blobs.put('one', bytes, PLAIN)
    expect(await blobs.get('one')).toMatchObject({ bytes })
  })

  it('count as missing if their file is gone', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('gone')
    await blobs.put('one', bytes, PLAIN)
    rmSync(fileOf(directory, bytes))
    expect(blobs.has('one')).toBe(false)
    expect(blobs.metadata('one')).toBeNull()
    expect(await blobs.get('one')).toBeNull()
    expect(await blobs.piece('one', 0, 10)).toBeNull()
  })

  it('are verified as a whole before being read in pieces', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('0123456789')
    await blobs.put('one', bytes, PLAIN)
    expect(await blobs.piece('one', 0, 4)).toEqual(bytesOf('0123'))
    expect(await blobs.piece('one', 8, 4)).toEqual(bytesOf('89'))
    expect(await blobs.piece('one', 10, 4)).toEqual(new Uint8Array())
    expect(await blobs.piece('one', 99, 4)).toEqual(new Uint8Array())
    await writeFile(fileOf(directory, bytes), bytesOf('012345678X'))
    expect(await blobs.piece('one', 0, 4)).toBeNull()
    expect(blobs.has('one')).toBe(false)
  })

  it('stay unchanged on a full disk, without partial files', async () => {
    const { blobs, directory } = openStore()
    await blobs.put('one', bytesOf('small'), PLAIN)
    fillDisk(3)
    await expect(blobs.put('one', bytesOf('something larger'), PLAIN)).rejects.toMatchObject({
      problem: { code: 'storage_failed', details: { cause: 'ENOSPC' } },
    })
    expect(await blobs.get('one')).toMatchObject({ bytes: bytesOf('small') })
    expect(filesIn(directory)).toEqual([digestOf(bytesOf('small'))])
  })

  it('are not written once the account closes', async () => {
    const { blobs, directory, close } = openStore()
    const putting = blobs.put('one', new Uint8Array(5 * 1024 * 1024), PLAIN)
    close()
    await expect(putting).rejects.toThrow('closed')
    expect(filesIn(directory)).toEqual([])
  })

  it('are evicted per quota, least recently used first', async () => {
    let time = 0
    const { blobs, directory } = openStore(undefined, { quotas: { pictures: 10 }, now: () => (time += 120_000) })
    const picture = (name: string): Promise<unknown> =>
      blobs.put(`picture ${name}`, bytesOf(`${name}234`), { contentType: 'image/png', share: 'pictures' })
    await blobs.put('attachment', bytesOf('this one stays'), PLAIN)
    await picture('a')
    await picture('b')
    await blobs.get('picture a')
    await picture('c')
    expect(['a', 'b', 'c'].filter((name) => blobs.has(`picture ${name}`))).toEqual(['a', 'c'])
    await picture('c')
    expect(['a', 'b', 'c'].filter((name) => blobs.has(`picture ${name}`))).toEqual(['a', 'c'])
    expect(blobs.has('attachment')).toBe(true)
    expect(filesIn(directory)).toHaveLength(3)
  })

  it('lose partial and unreferenced files, and nothing else', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('kept')
    await blobs.put('one', bytes, PLAIN)
    const orphan = bytesOf('nobody asks for it')
    await blobs.put('orphan', orphan, PLAIN)
    await writeFile(join(directory, 'blobs', 'left-behind.part'), bytesOf('half'))
    await writeFile(fileOf(directory, bytes).replace(/.$/, 'notes.txt'), bytesOf('a person put it here'))
    const { cache } = openCache(join(temporaryDirectory(), CACHE_NAME), PENDING)
    onTestFinished(() => cache.close())
    // The same folder with a cache that knows only one of its files.
    cache.blobs.set({
      key: 'one',
      digest: digestOf(bytes),
      bytes: 4,
      contentType: null,
      share: null,
      fetchedAt: 1,
      usedAt: 1,
    })
    const rebuilt = new StoredBlobs(directory, cache.blobs, new AbortController().signal)
    // Files from before a cache was lost might exist nowhere else.
    await rebuilt.collectGarbage(Date.now() + 60_000)
    expect(filesIn(directory)).toContain(digestOf(orphan))
    expect(filesIn(directory).filter((name) => name.endsWith('.part'))).toEqual([])
    await rebuilt.collectGarbage()
    expect(filesIn(directory).filter((name) => !name.endsWith('.txt'))).toEqual([digestOf(bytes)])
    expect(filesIn(directory)).toHaveLength(2)
    expect(await rebuilt.get('one')).toMatchObject({ bytes })
  })

  it('are never read outside their folder, even with a damaged cache', async () => {
    const directory = temporaryDirectory()
    const { cache } = openCache(join(directory, CACHE_NAME), PENDING)
    onTestFinished(() => cache.close())
    const row = { bytes: 6, contentType: null, share: null, fetchedAt: 1, usedAt: 1 }
    await writeFile(join(directory, 'secret'), bytesOf('secret'))
    cache.blobs.set({ ...row, key: 'one', digest: '../../secret' })
    const blobs = new StoredBlobs(directory, cache.blobs, new AbortController().signal)
    blobs.restore({ ...row, key: 'two', digest: '../../secret' })
    expect(await blobs.get('one')).toBeNull()
    expect(await blobs.get('two')).toBeNull()
    expect(readFileSync(join(directory, 'secret'), 'utf8')).toBe('secret')
  })

  it('are reported if they can’t be read', async () => {
    const { blobs, directory } = openStore()
    const bytes = bytesOf('closed to everyone')
    await blobs.put('one', bytes, PLAIN)
    chmodSync(fileOf(directory, bytes), 0)
    const reading = blobs.get('one')
    // Root can read the file anyway.
    if (process.getuid?.() === 0) expect(await reading).toMatchObject({ bytes })
    else await expect(reading).rejects.toMatchObject({ problem: { code: 'storage_failed' } })
  })
})

describe('the stored files next to an account’s mail', () => {
  const openWithContent = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 3, seed: 1 } })
    const engine = await openSettledEngine(platform)
    await engine.close()
    const kept = openStore(engine.directory)
    const bytes = new Uint8Array(100_000).fill(65)
    await kept.blobs.put('attachment 1', bytes, PLAIN)
    kept.close()
    return { platform, directory: engine.directory, bytes }
  }
  const keysIn = (directory: string): boolean => {
    const store = openStore(directory)
    const isHere = store.blobs.has('attachment 1')
    store.close()
    return isHere
  }

  it('are counted and cleared with other downloads', async () => {
    const { platform, directory } = await openWithContent()
    const engine = await openTestEngine(platform, directory)
    const before = await engine.call('cache.state', {})
    expect(before.cacheBytes).toBeGreaterThan(100_000 + statSync(join(directory, CACHE_NAME)).size - 1)
    await engine.call('cache.clear', {})
    expect(filesIn(directory)).toEqual([])
    const after = await engine.call('cache.state', {})
    expect(after.bytes - after.cacheBytes).toBe(before.bytes - before.cacheBytes)
    await engine.close()
    expect(keysIn(directory)).toBe(false)
  })

  it('stay when the cache is moved into a new one', async () => {
    const { platform, directory, bytes } = await openWithContent()
    const cacheFile = openSync(join(directory, CACHE_NAME), 'r+')
    // A foreign application ID: the cache file is set aside, and its blobs are moved.
    writeSync(cacheFile, Buffer.from('nope'), 0, 4, 68)
    closeSync(cacheFile)
    const engine = await openSettledEngine(platform, directory)
    expect((await engine.call('problem.list', {})).map(({ id }) => id)).toContain('cache-damaged')
    await engine.close()
    expect(filesIn(directory)).toEqual([digestOf(bytes)])
    expect(keysIn(directory)).toBe(true)
  })

  it('stay if the cache is unreadable, until the user clears it', async () => {
    const { platform, directory, bytes } = await openWithContent()
    await writeFile(join(directory, CACHE_NAME), bytesOf('not a database at all, but a letter to nobody'))
    const engine = await openSettledEngine(platform, directory)
    await engine.close()
    expect(keysIn(directory)).toBe(false)
    expect(filesIn(directory)).toEqual([digestOf(bytes)])
    const again = await openSettledEngine(platform, directory)
    expect(filesIn(directory)).toEqual([digestOf(bytes)])
    await again.call('cache.clear', {})
    await eventually(
      () => filesIn(directory),
      (files) => files.length === 0,
    )
    await again.close()
  })
})
