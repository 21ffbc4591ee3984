import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ContentRow, ContentRowStore } from '../store/content-rows.ts'
import { contentPath, digestOf, readContentFile, type Content, type Contents, type KnownContent } from './contents.ts'
import { systemClock } from '../timing/clock.ts'

/** Bytes of what was put that are remembered. */
const REMEMBERED_BYTES = 64 * 1024 * 1024

/**
 * The contents in an account's folder beside whoever writes them: nothing on the disk is changed. What is put, such as the
 * attachments of an original that was taken apart, is remembered for a while.
 */
export const readContents = (accountDirectory: string, rows: Pick<ContentRowStore, 'get'>): Contents => {
  const remembered = new Map<string, Content>()
  let bytesRemembered = 0
  const forget = (key: string): void => {
    bytesRemembered -= remembered.get(key)?.bytes.byteLength ?? 0
    remembered.delete(key)
  }

  const isInFile = ({ digest, bytes }: ContentRow): boolean => {
    try {
      return statSync(join(accountDirectory, contentPath(digest))).size === bytes
    } catch {
      return false
    }
  }
  const look = (key: string): KnownContent | null => {
    const mine = remembered.get(key)
    if (mine !== undefined) return { ...mine, bytes: mine.bytes.byteLength }
    const row = rows.get(key)
    if (row === undefined || !isInFile(row)) return null
    const { digest, bytes, contentType, fetchedAt } = row
    return { digest, bytes, contentType, fetchedAt }
  }
  const get = async (key: string): Promise<Content | null> => {
    const mine = remembered.get(key)
    if (mine !== undefined) return mine
    const found = look(key)
    const bytes = found === null ? null : await readContentFile(accountDirectory, found.digest)
    return found === null || bytes === null ? null : { ...found, bytes }
  }

  return {
    get,
    look,
    has: (key) => look(key) !== null,
    piece: async (key, from, length) => (await get(key))?.bytes.subarray(from, from + length) ?? null,
    put: async (key, bytes, { contentType }) => {
      const known = { digest: await digestOf(bytes), contentType, fetchedAt: systemClock.now() }
      forget(key)
      remembered.set(key, { ...known, bytes })
      bytesRemembered += bytes.byteLength
      for (const other of remembered.keys()) {
        if (bytesRemembered <= REMEMBERED_BYTES || other === key) break
        forget(other)
      }
      return { ...known, bytes: bytes.byteLength }
    },
    remove: forget,
    release: (keys) => {
      for (const key of keys) forget(key)
      return () => undefined
    },
    restore: () => undefined,
    tidy: () => Promise.resolve(),
  }
}
