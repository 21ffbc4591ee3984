import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { CACHE_FILE_KIND, type Cache } from './cache.ts'
import { buildEmptyDatabase } from './open-database.ts'
import { createTableReader, openDamagedDatabase, type UntrustedRow as Row } from './damaged-database.ts'
import type { BlobRow } from './blob-rows.ts'
import type { InboxRef } from './inboxes.ts'

const ROWS_A_TURN = 64

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

interface RescueParts {
  readonly source: Database.Database
  readonly cache: Cache
  /** Called with the damaged cache's metadata of each external file. */
  readonly keepContent: (row: BlobRow) => void
  /** Called whenever some mail has been copied. */
  readonly changed: () => void
  readonly signal: AbortSignal
}

/**
 * Copies the mail of a damaged cache into a new one, table by table. Rows are copied as they are: damaged payloads are
 * found when they are read. The platform always has contacts, so they are fetched again.
 */
class Rescue {
  readonly #cache: Cache
  readonly #parts: RescueParts
  /** Copied inboxes and keys of copied threads, by their keys in the damaged file. */
  readonly #inboxes = new Map<number, InboxRef>()
  readonly #threads = new Map<number, number>()

  constructor(parts: RescueParts) {
    this.#parts = parts
    this.#cache = parts.cache
  }

  /** @returns false if aborted */
  async run(): Promise<boolean> {
    const { rowCopier, deleted } = this.#cache
    /** Keys of copied e-mails, by their keys in the damaged file. */
    const emails = new Map<number, number>()
    await this.#eachRow('inboxes', (row) => this.#keepInbox(row))
    await this.#eachRow('threads', (row) => this.#keepThread(row))
    await this.#eachRow('emails', (row) => {
      const key = this.#threads.get(number(row.thread_key))
      const copied = key === undefined ? undefined : rowCopier.copy('emails', { ...row, thread_key: key })
      if (copied !== undefined) emails.set(number(row.key), copied)
    })
    await this.#eachRow('large_bodies', (row) => {
      const key = emails.get(number(row.email_key))
      if (key !== undefined) rowCopier.copy('large_bodies', { ...row, email_key: key })
    })
    for (const list of ['received', 'sent'] as const) {
      await this.#eachRow(`${list}_emails`, (row) => {
        if (!deleted.has({ list, id: text(row.id) })) rowCopier.copy(`${list}_emails`, row)
      })
    }
    await this.#eachRow('blobs', (row) => this.#keepContent(row))
    const keys = [...this.#threads.values()]
    for (let at = 0; at < keys.length; at += ROWS_A_TURN) {
      await nextTurn()
      if (this.#parts.signal.aborted) return false
      this.#cache.inTransaction(() => keys.slice(at, at + ROWS_A_TURN).forEach(rowCopier.checkEmails))
    }
    return !this.#parts.signal.aborted
  }

  async #eachRow(table: string, keep: (row: Row) => void): Promise<void> {
    let reader: ReturnType<typeof createTableReader>
    try {
      reader = createTableReader(this.#parts.source, table)
    } catch {
      return
    }
    for (let first = 0; first <= reader.last && !reader.isHopeless(); first += ROWS_A_TURN) {
      await nextTurn()
      if (this.#parts.signal.aborted) return
      const rows = reader.read(first, first + ROWS_A_TURN - 1)
      if (rows.length === 0) continue
      this.#cache.inTransaction(() => rows.forEach(keep))
      this.#parts.changed()
    }
  }

  #keepInbox(row: Row): void {
    const id = text(row.id)
    if (id === '') return
    this.#cache.rowCopier.copy('inboxes', row)
    this.#cache.inboxes.forgetAddresses()
    const key = this.#cache.inboxes.get(id)?.key
    if (key !== undefined) this.#inboxes.set(number(row.key), { key, id })
  }

  #keepThread(row: Row): void {
    const { threads, deleted, rowCopier, mailRows } = this.#cache
    const inbox = this.#inboxes.get(number(row.inbox_key))
    const id = text(row.id)
    if (inbox === undefined || id === '' || deleted.has({ list: 'threads', inboxId: inbox.id, id })) return
    rowCopier.copy('threads', { ...row, inbox_key: inbox.key })
    const key = mailRows.thread(inbox.key, id)?.key
    if (key === undefined) return
    this.#threads.set(number(row.key), key)
    // Only the payload has a checksum, so derive the other columns from it.
    threads.project(inbox, [id])
  }

  #keepContent(row: Row): void {
    this.#parts.keepContent({
      key: text(row.key),
      digest: text(row.digest),
      bytes: number(row.bytes),
      contentType: text(row.content_type) || null,
      share: text(row.share) || null,
      fetchedAt: number(row.fetched_at) || 0,
      usedAt: number(row.used_at) || 0,
    })
  }
}

/** Metadata key under which the damaged cache's file name is stored while its mail is being copied. */
const SALVAGE_KEY = 'salvage'

interface SalvageParts extends Omit<RescueParts, 'source'> {
  readonly directory: string
  /** Path of a cache that was just set aside; null for none. */
  readonly setAside: string | null
  readonly report: (thrown: unknown) => void
}

/**
 * Copies everything readable from a damaged cache into a new one, over several starts if needed. Mail that the platform
 * has removed exists nowhere else. Rows already in the new cache are newer and are not overwritten.
 * @returns true if copying has finished; pending changes must then be applied again
 */
export const salvageMail = async ({ directory, setAside, report, ...parts }: SalvageParts): Promise<boolean> => {
  const { cache, signal } = parts
  if (setAside !== null) cache.accountMeta.set(SALVAGE_KEY, basename(setAside))
  const name = cache.accountMeta.get(SALVAGE_KEY) ?? ''
  if (name === '') return false
  const damaged = join(directory, name)
  try {
    const model = buildEmptyDatabase(CACHE_FILE_KIND)
    const opened = existsSync(damaged) ? openDamagedDatabase(damaged, ['inboxes', 'threads', 'emails'], model) : null
    try {
      if (opened !== null && !(await new Rescue({ ...parts, source: opened.source }).run())) return false
    } finally {
      opened?.end()
    }
  } catch (thrown) {
    report(thrown)
  }
  if (signal.aborted) return false
  cache.search.rebuild()
  cache.accountMeta.set(SALVAGE_KEY, '')
  return true
}
