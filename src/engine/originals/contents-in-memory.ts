import type { OriginalContents } from './originals.ts'

/** Bytes of originals that are held at a time, however many they are. */
const MOST_BYTES = 64 * 1024 * 1024

/** Keeps originals as long as the account is open, the newest of them. */
export const keepInMemory = (): OriginalContents => {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (key: string): void => {
    bytes -= kept.get(key)?.byteLength ?? 0
    kept.delete(key)
  }
  return {
    get: (key) => Promise.resolve(kept.get(key) ?? null),
    put: (key, content) => {
      drop(key)
      if (content.byteLength > MOST_BYTES) return Promise.resolve()
      kept.set(key, content)
      bytes += content.byteLength
      for (const oldest of kept.keys()) {
        if (bytes <= MOST_BYTES) break
        drop(oldest)
      }
      return Promise.resolve()
    },
  }
}
