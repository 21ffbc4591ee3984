import { createHash } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import { z } from 'zod'
import { writeDurably } from './durable-file.ts'

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
