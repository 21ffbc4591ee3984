import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { CACHE_FILE_KIND } from '../../src/engine/store/cache.ts'
import { openDatabase } from '../../src/engine/store/open-database.ts'
import type { ThreadRow } from '../../src/engine/store/thread-rows.ts'
import { FOLDERS } from '../../src/shared/model.ts'
import type { BenchEngine } from './bench-engine.ts'
import type { BenchPlatform } from './bench-platform.ts'

const PAGE = 100

export interface Replay {
  readonly baseUrl: string
  readonly pages: number
  readonly rows: number
  readonly stop: () => void
}

type ListedRow = Omit<ThreadRow, 'key' | 'snippet' | 'emails_at'> & { readonly inbox_key: number }

/** A thread's position in the search index. */
interface SearchRow {
  readonly place: number
  readonly room: number
  readonly documents_from: number
  readonly email_count: number
}

const SEARCH_COLUMNS = 'place, room, documents_from, email_count' as const
const COLUMNS =
  'inbox_key, id, received_at, listed_at, folder, read, label_ids, has_outbound, in_sent, on_server, wire' as const

/** Crawls every list of a platform as the engine does, and starts a platform that replays the responses from memory. */
export const startReplay = async ({ baseUrl, apiKey, inboxId }: BenchPlatform): Promise<Replay> => {
  const answers: (readonly [string, string])[] = []
  const record = async (path: string): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'linnet-bench' },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    answers.push([path, text])
    const { data, has_more: hasMore = false } = JSON.parse(text) as { data: { id: string }[]; has_more?: boolean }
    return { ids: data.map(({ id }) => id), hasMore }
  }
  await record('/inboxes?limit=100')
  await record(`/inboxes/${inboxId}/labels`)
  let pages = 0
  let rows = 0
  for (const folder of FOLDERS) {
    for (let after = '', isEnd = false; !isEnd; pages += 1) {
      const { ids, hasMore } = await record(`/inboxes/${inboxId}/threads?folders=${folder}&limit=100${after}`)
      after = `&after=${ids.at(-1) ?? ''}`
      rows += ids.length
      isEnd = !hasMore
    }
  }
  const file = join(mkdtempSync(join(tmpdir(), 'linnet-bench-')), 'answers.json')
  writeFileSync(file, JSON.stringify(answers))
  const child = spawn(process.execPath, [fileURLToPath(new URL('./replay-platform.ts', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const replayUrl = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('exit', () => reject(new Error('The platform of recorded lists ended early.')))
  })
  return {
    baseUrl: replayUrl,
    pages,
    rows,
    stop: () => {
      child.kill('SIGTERM')
      rmSync(dirname(file), { recursive: true, force: true })
    },
  }
}

const pagesOf = (cacheFile: string): readonly (readonly (ListedRow & SearchRow)[])[] => {
  const cache = new Database(cacheFile, { readonly: true })
  const pages = FOLDERS.flatMap((folder) => {
    const condition = folder === 'sent' ? 'in_sent = 1' : `folder = '${folder}'`
    const rows = cache
      .prepare<[], ListedRow & SearchRow>(
        `SELECT ${COLUMNS.replace(/\w+/g, 'threads.$&')}, ${SEARCH_COLUMNS}
         FROM threads JOIN search_threads ON search_threads.thread_key = threads.key
         WHERE threads.${condition} ORDER BY received_at DESC`,
      )
      .all()
    return Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, page) =>
      rows.slice(page * PAGE, (page + 1) * PAGE),
    )
  })
  cache.close()
  return pages
}

/** Speed of SQLite alone with the pages of an engine's cache: the same rows, tables, indexes and transactions. */
export const measureSqliteItself = (engine: BenchEngine): { readonly rows: number; readonly rowsPerSecond: number } => {
  const pages = pagesOf(join(engine.directory, 'cache.sqlite'))
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  const { database } = openDatabase(join(directory, 'cache.sqlite'), CACHE_FILE_KIND)
  database.exec("INSERT INTO inboxes (key, id, position, on_server, wire) VALUES (1, 'inbox', 0, 1, '{}')")
  const insert = database.prepare<ListedRow>(
    `INSERT INTO threads (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, '@$&')})
     ON CONFLICT (inbox_key, id) DO UPDATE SET wire = excluded.wire`,
  )
  const insertSearchable = database.prepare<ListedRow & SearchRow>(
    `INSERT INTO search_threads (thread_key, inbox_key, time, folder, read, has_outbound, label_ids, indexed, ${SEARCH_COLUMNS})
     VALUES ((SELECT key FROM threads WHERE inbox_key = 1 AND id = @id), 1, @received_at, @folder, @read, @has_outbound,
       @label_ids, 1, ${SEARCH_COLUMNS.replace(/\w+/g, '@$&')})
     ON CONFLICT (thread_key) DO UPDATE SET has_outbound = excluded.has_outbound`,
  )
  const insertSearchableLabel = database.prepare<[string, number]>(
    'INSERT OR IGNORE INTO search_labels (inbox_key, label_id, place) VALUES (1, ?, ?)',
  )
  const walk = database.prepare<[string]>(
    "INSERT OR REPLACE INTO account_meta (name, value) VALUES ('progress list', ?)",
  )
  const store = database.transaction((rows: readonly (ListedRow & SearchRow)[]) => {
    for (const row of rows) {
      insert.run({ ...row, inbox_key: 1 })
      insertSearchable.run(row)
      for (const labelId of JSON.parse(row.label_ids) as string[]) insertSearchableLabel.run(labelId, row.place)
    }
    walk.run(rows.at(-1)?.id ?? '')
  })
  const start = performance.now()
  for (const page of pages) store(page)
  const seconds = (performance.now() - start) / 1000
  database.close()
  rmSync(directory, { recursive: true, force: true })
  const rows = pages.reduce((sum, page) => sum + page.length, 0)
  return { rows, rowsPerSecond: rows / seconds }
}
