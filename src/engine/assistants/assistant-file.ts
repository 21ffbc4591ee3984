/**
 * What concerns assistants, in a file of its own beside an account's cache: what they may read, what they asked for, and what
 * they propose. It is no part of the outbox, which one process has for itself: here the engine and any number of servers for
 * assistants write, whether Linnet runs or not.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import {
  assistantAccess,
  type DECISIONS,
  NO_ACCESS,
  PROPOSAL_BOUNDS,
  proposedChange,
  type AssistantAccess,
  type AssistantCall,
  type Proposal,
  type ProposalState,
} from '../../shared/assistants.ts'
import { fileIdentity } from '../store/file-identity.ts'
import { openDatabase, openDatabaseToRead, type FileKind } from '../store/open-database.ts'

const ASSISTANTS_NAME = 'assistants.sqlite'

const MOST_CALLS = 10_000
/** Proposals that were decided and are kept, so that whoever made them can learn of it. */
const MOST_DECIDED = 1_000
/** Characters of what is noted of a call. */
const LONGEST_NOTE = 1_000

const KIND: FileKind = {
  // LNAS
  applicationId: 0x4c4e4153,
  exclusive: false,
  migrations: [
    {
      version: 1,
      sql: `
CREATE TABLE version_stamp (version INTEGER NOT NULL) STRICT;
CREATE TABLE access (is_only INTEGER PRIMARY KEY CHECK (is_only = 1), access TEXT NOT NULL) STRICT;
CREATE TABLE calls (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  client TEXT NOT NULL,
  tool TEXT NOT NULL,
  asked TEXT NOT NULL,
  answer TEXT NOT NULL,
  is_refused INTEGER NOT NULL
) STRICT;
CREATE TABLE proposals (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  client TEXT NOT NULL,
  inbox_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  change TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX proposals_by_state ON proposals (state, number);
`,
    },
  ],
}

interface CallRow {
  readonly id: number
  readonly at: number
  readonly client: string
  readonly tool: string
  readonly asked: string
  readonly answer: string
  readonly is_refused: number
}

interface ProposalRow {
  readonly id: string
  readonly at: number
  readonly client: string
  readonly inbox_id: string
  readonly reason: string
  readonly change: string
  readonly state: ProposalState
}

/** What is read of a file that others may have written. @returns null for what is not of this form */
const parse = <Value>(
  schema: { safeParse: (value: unknown) => { data?: Value | undefined } },
  text: string,
): Value | null => {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export class AssistantFile {
  readonly #path: string
  readonly #identity: bigint | null
  readonly #database: Database.Database
  readonly #close: () => void

  private constructor(path: string, database: Database.Database, close: () => void) {
    this.#path = path
    this.#identity = fileIdentity(path)
    this.#database = database
    this.#close = close
  }

  /** Whether an account has one: until a person turns something on there is none, and nothing is on. */
  static isIn(directory: string): boolean {
    return existsSync(join(directory, ASSISTANTS_NAME))
  }

  /**
   * Opens the file for the engine, or makes it. One that is damaged is set aside, and nothing is on.
   * @throws ProblemError `storage_failed` for one of a newer Linnet; SQLite's errors
   */
  static open(directory: string): AssistantFile {
    const path = join(directory, ASSISTANTS_NAME)
    const { database, close } = openDatabase(path, KIND)
    return new AssistantFile(path, database, close)
  }

  /**
   * Opens the file beside the engine, or without one. Nothing is made or mended.
   * @throws ProblemError `not_found` where there is none, `storage_failed` for one that cannot be used
   */
  static join(directory: string): AssistantFile {
    const path = join(directory, ASSISTANTS_NAME)
    const database = openDatabaseToRead(path, KIND)
    database.pragma('query_only = OFF')
    return new AssistantFile(path, database, () => database.close())
  }

  /** Whether what was opened is still the account's file: another one may have taken its place, or none. */
  isCurrent(): boolean {
    return fileIdentity(this.#path) === this.#identity
  }

  access(): AssistantAccess {
    const text = this.#database.prepare<[], string>('SELECT access FROM access').pluck().get()
    return text === undefined ? NO_ACCESS : (parse(assistantAccess, text) ?? NO_ACCESS)
  }

  setAccess(access: AssistantAccess): void {
    this.#database
      .prepare('INSERT INTO access (is_only, access) VALUES (1, ?) ON CONFLICT DO UPDATE SET access = excluded.access')
      .run(JSON.stringify(access))
  }

  /** Notes a call. A full log loses the oldest of the tool that fills it, so that cheap calls do not push out what was read. */
  note({ at, client, tool, asked, answer, isRefused }: Omit<AssistantCall, 'id'>): void {
    const short = (text: string): string => text.slice(0, LONGEST_NOTE)
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO calls (at, client, tool, asked, answer, is_refused) VALUES (?, ?, ?, ?, ?, ?)')
      .run(at, short(client), short(tool), short(asked), short(answer), Number(isRefused))
    if (Number(lastInsertRowid) % 100 !== 0) return
    const kind = "iif(is_refused, '', tool)"
    this.#database
      .prepare(
        `DELETE FROM calls WHERE id IN (SELECT id FROM calls
           WHERE ${kind} = (SELECT ${kind} FROM calls GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
           ORDER BY id LIMIT max(0, (SELECT count(*) FROM calls) - ?))`,
      )
      .run(MOST_CALLS)
  }

  /** Newest first. @param before the ID of a call that was read already; null for the newest */
  calls(before: number | null, limit: number): readonly AssistantCall[] {
    return this.#database
      .prepare<[number, number], CallRow>('SELECT * FROM calls WHERE id < ? ORDER BY id DESC LIMIT ?')
      .all(before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ is_refused, ...call }) => ({ ...call, isRefused: is_refused === 1 }))
  }

  clearCalls(): void {
    this.#database.exec('DELETE FROM calls')
  }

  /** Puts a change before the person, once. @returns its ID; null where too many wait already */
  propose({ at, client, inboxId, reason, change }: Omit<Proposal, 'id' | 'state'>): string | null {
    const same = this.#database
      .prepare<string[], string>(
        "SELECT id FROM proposals WHERE state = 'open' AND client = ? AND inbox_id = ? AND change = ?",
      )
      .pluck()
      .get(client, inboxId, JSON.stringify(change))
    if (same !== undefined) return same
    const id = randomUUID()
    const put = this.#database
      .prepare(
        `INSERT INTO proposals (id, at, client, inbox_id, reason, change, state) SELECT ?, ?, ?, ?, ?, ?, 'open'
         WHERE (SELECT count(*) FROM proposals WHERE state = 'open') < ?`,
      )
      .run(id, at, client, inboxId, reason, JSON.stringify(change), PROPOSAL_BOUNDS.open)
    return put.changes === 1 ? id : null
  }

  /** Those that wait, oldest first. */
  openProposals(): readonly Proposal[] {
    return this.#read("state = 'open' ORDER BY number", [])
  }

  /** A proposal, whatever became of it; null where it is not known (any more). */
  proposal(id: string): Proposal | null {
    return this.#read('id = ?', [id])[0] ?? null
  }

  /** The person has decided. @returns whether it was open until now */
  decide(id: string, state: (typeof DECISIONS)[number]): boolean {
    const { changes } = this.#database
      .prepare("UPDATE proposals SET state = ? WHERE id = ? AND state = 'open'")
      .run(state, id)
    this.#database
      .prepare(
        `DELETE FROM proposals WHERE state <> 'open' AND number <=
         (SELECT number FROM proposals WHERE state <> 'open' ORDER BY number DESC LIMIT 1 OFFSET ?)`,
      )
      .run(MOST_DECIDED)
    return changes === 1
  }

  reopen(id: string): void {
    this.#database.prepare("UPDATE proposals SET state = 'open' WHERE id = ?").run(id)
  }

  close(): void {
    this.#close()
  }

  #read(condition: string, values: readonly string[]): readonly Proposal[] {
    return this.#database
      .prepare<unknown[], ProposalRow>(
        `SELECT id, at, client, inbox_id, reason, change, state FROM proposals WHERE ${condition}`,
      )
      .all(...values)
      .flatMap(({ inbox_id: inboxId, change: text, ...row }) => {
        const change = parse(proposedChange, text)
        return change === null ? [] : [{ ...row, inboxId, change }]
      })
  }
}
