import { createHash } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import { z } from 'zod'
import { writeFlushed } from './write-flushed.ts'

/** A short list in a JSON file of its own, written whole each time, with a digest of what was written. */
export interface ListFile<Entry> {
  readonly read: () => FoundList<Entry>
  /** An end at any moment leaves the old list or the new one, whole. @throws what the disk throws */
  readonly write: (entries: readonly Entry[]) => void
}

export interface FoundList<Entry> {
  /** Of a damaged file, those that can still be read. */
  readonly entries: readonly Entry[]
  readonly state: 'whole' | 'missing' | 'damaged'
}

const digestOf = (entries: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 32)

const read = <Entry>(file: string, name: string, schema: z.ZodType<Entry>): FoundList<Entry> => {
  const envelope = z.object({ digest: z.string(), [name]: z.array(z.unknown()) })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    return { entries: [], state: isMissing ? 'missing' : 'damaged' }
  }
  try {
    const content: unknown = JSON.parse(text)
    const whole = envelope.safeParse(content).data
    const named = whole?.[name]
    // Before the custom of the digest a file was the list alone.
    const kept: readonly unknown[] = Array.isArray(content) ? content : Array.isArray(named) ? named : []
    const entries = kept.flatMap((entry) => schema.safeParse(entry).data ?? [])
    const isAsWritten = Array.isArray(content) || whole?.digest === digestOf(kept)
    return { entries, state: isAsWritten && entries.length === kept.length ? 'whole' : 'damaged' }
  } catch {
    return { entries: [], state: 'damaged' }
  }
}

const writeWhole = (file: string, text: string): void => {
  const next = `${file}.next`
  writeFlushed(next, text, 'w')
  renameSync(next, file)
}

/** @param name what the list is called within the file */
export const createListFile = <Entry>(file: string, name: string, schema: z.ZodType<Entry>): ListFile<Entry> => ({
  read: () => read(file, name, schema),
  write: (entries) => writeWhole(file, JSON.stringify({ digest: digestOf(entries), [name]: entries })),
})
