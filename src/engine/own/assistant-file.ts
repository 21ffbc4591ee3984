/**
 * Assistants' access, calls and proposals, in a file next to the account's cache. One process locks the outbox, but
 * this file is written by the engine and any number of assistant servers, even while Linnet isn't running.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import {
  assistantAccessSchema,
  type PROPOSAL_DECISIONS,
  NO_ASSISTANT_ACCESS,
  PROPOSAL_LIMITS,
  proposedChangeSchema,
  type AssistantAccess,
  type AssistantCall,
  type Proposal,
} from '../../shared/assistants.ts'
import { readFileIdentity } from '../store/file-header.ts'
import { openDatabase, openDatabaseReadOnly, type DatabaseFileKind } from '../store/open-database.ts'
import { parseJsonAs } from '../../shared/parse-json.ts'

const ASSISTANTS_NAME = 'assistants.sqlite'

const MAX_CALLS = 10_000
/** Decided proposals to keep, so that the programs that made them can learn the outcome. */
const MAX_DECIDED = 1_000
/** Maximum characters of a logged text. */
const MAX_LOGGED_LENGTH = 1_000

const KIND: DatabaseFileKind = {
  // Spells “LNAS” in ASCII.
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

type CallRow = Omit<AssistantCall, 'isRefused'> & { readonly is_refused: number }
type ProposalRow = Omit<Proposal, 'inboxId' | 'change'> & { readonly inbox_id: string; readonly change: string }

export class AssistantFile {
  readonly #path: string
  readonly #identity: bigint | null
  readonly #database: Database.Database
  readonly #close: () => void

  private constructor(path: string, database: Database.Database, close: () => void) {
    this.#path = path
    this.#identity = readFileIdentity(path)
    this.#database = database
    this.#close = close
  }

  /** False until the user first turns something on; without the file, all access is off. */
  static isIn(directory: string): boolean {
    return existsSync(join(directory, ASSISTANTS_NAME))
  }

  /**
   * Opens or creates the file. Sets a damaged file aside, which revokes all access. @throws ProblemError if a newer
   * version of Linnet wrote it
   */
  static open(directory: string): AssistantFile {
    const path = join(directory, ASSISTANTS_NAME)
    const { database, close } = openDatabase(path, KIND)
    return new AssistantFile(path, database, close)
  }

  /** Opens the file without creating or repairing it. @throws ProblemError `not_found`, `storage_failed` if unusable */
  static join(directory: string): AssistantFile {
    const path = join(directory, ASSISTANTS_NAME)
    const database = openDatabaseReadOnly(path, KIND)
    database.pragma('query_only = OFF')
    return new AssistantFile(path, database, () => database.close())
  }

  /** False once the account's file was replaced or removed. */
  isCurrent(): boolean {
    return readFileIdentity(this.#path) === this.#identity
  }

  access(): AssistantAccess {
    const text = this.#database.prepare<[], string>('SELECT access FROM access').pluck().get()
    return text === undefined ? NO_ASSISTANT_ACCESS : (parseJsonAs(assistantAccessSchema, text) ?? NO_ASSISTANT_ACCESS)
  }

  setAccess(access: AssistantAccess): void {
    this.#database
      .prepare('INSERT INTO access (is_only, access) VALUES (1, ?) ON CONFLICT DO UPDATE SET access = excluded.access')
      .run(JSON.stringify(access))
  }

  /** A full log drops the oldest calls of its most frequent tool, so cheap calls don't displace reads. */
  note({ at, client, tool, asked, answer, isRefused }: Omit<AssistantCall, 'id'>): void {
    const short = (text: string): string => text.slice(0, MAX_LOGGED_LENGTH)
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
      .run(MAX_CALLS)
  }

  /** Newest first. @param before ID of the last call already read; null for the newest */
  calls(before: number | null, limit: number): readonly AssistantCall[] {
    return this.#database
      .prepare<[number, number], CallRow>('SELECT * FROM calls WHERE id < ? ORDER BY id DESC LIMIT ?')
      .all(before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ is_refused, ...call }) => ({ ...call, isRefused: is_refused === 1 }))
  }

  clearCalls(): void {
    this.#database.exec('DELETE FROM calls')
  }

  /** Adds a proposal unless the same one is open. @returns its ID; null if too many are open */
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
      .run(id, at, client, inboxId, reason, JSON.stringify(change), PROPOSAL_LIMITS.open)
    return put.changes === 1 ? id : null
  }

  /** Oldest first. */
  openProposals(): readonly Proposal[] {
    return this.#read("state = 'open' ORDER BY number", [])
  }

  /** A proposal in any state; null if unknown or already deleted. */
  proposal(id: string): Proposal | null {
    return this.#read('id = ?', [id])[0] ?? null
  }

  /** @returns true if it was open */
  decide(id: string, state: (typeof PROPOSAL_DECISIONS)[number]): boolean {
    const { changes } = this.#database
      .prepare("UPDATE proposals SET state = ? WHERE id = ? AND state = 'open'")
      .run(state, id)
    this.#database
      .prepare(
        `DELETE FROM proposals WHERE state <> 'open' AND number <=
         (SELECT number FROM proposals WHERE state <> 'open' ORDER BY number DESC LIMIT 1 OFFSET ?)`,
      )
      .run(MAX_DECIDED)
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
        const change = parseJsonAs(proposedChangeSchema, text)
        return change === null ? [] : [{ ...row, inboxId, change }]
      })
  }
}
