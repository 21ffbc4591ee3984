import { createHash } from 'node:crypto'
import { readFileSync, renameSync, closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { toStorageError } from './storage-problem.ts'

/** Readable only by the user, and synced to disk. @throws disk errors, possibly after a partial write */
export const writeDurably = (file: string, content: string | Uint8Array, flag: 'w' | 'wx'): void => {
  const descriptor = openSync(file, flag, 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export interface ListReadResult<Entry> {
  /** If the file is damaged, the entries that are still readable. */
  readonly entries: readonly Entry[]
  readonly state: 'whole' | 'missing' | 'damaged'
}

const digestOf = (entries: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 32)

/** A short list in its own JSON file with a digest. Each write replaces the file. */
export class ListFile<Entry> {
  readonly #file: string
  readonly #name: string
  readonly #schema: z.ZodType<Entry>

  /** @param name key of the list in the JSON file */
  constructor(file: string, name: string, schema: z.ZodType<Entry>) {
    this.#file = file
    this.#name = name
    this.#schema = schema
  }

  read(): ListReadResult<Entry> {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch (thrown) {
      const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
      return { entries: [], state: isMissing ? 'missing' : 'damaged' }
    }
    try {
      const envelope = z.object({ digest: z.string(), [this.#name]: z.array(z.unknown()) })
      const whole = envelope.safeParse(JSON.parse(text)).data
      const named = whole?.[this.#name]
      const kept: readonly unknown[] = Array.isArray(named) ? named : []
      const entries = kept.flatMap((entry) => this.#schema.safeParse(entry).data ?? [])
      const isAsWritten = whole?.digest === digestOf(kept)
      return { entries, state: isAsWritten && entries.length === kept.length ? 'whole' : 'damaged' }
    } catch {
      return { entries: [], state: 'damaged' }
    }
  }

  /** Atomic: a crash leaves either the old list or the new one. @throws disk errors */
  write(entries: readonly Entry[]): void {
    const text = JSON.stringify({ digest: digestOf(entries), [this.#name]: entries })
    const next = `${this.#file}.next`
    writeDurably(next, text, 'w')
    renameSync(next, this.#file)
  }
}

/** A few settings in a file of their own, which outlives the cache. If it is unreadable, the defaults apply. */
export class StoredSettings<Settings extends object> {
  readonly #file: ListFile<Settings>
  #settings: Settings

  /** @param name key in the JSON file */
  constructor(file: string, name: string, schema: z.ZodType<Settings>, defaults: Settings) {
    this.#file = new ListFile(file, name, schema)
    this.#settings = this.#file.read().entries.at(-1) ?? defaults
  }

  get(): Settings {
    return this.#settings
  }

  /** @throws ProblemError `storage_failed` if the disk rejects the write; the previous settings then still apply */
  set(change: Partial<Settings>): void {
    const next = { ...this.#settings, ...change }
    try {
      this.#file.write([next])
    } catch (thrown) {
      throw toStorageError(thrown)
    }
    this.#settings = next
  }
}
