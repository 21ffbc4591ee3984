import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  assistantAccessSchema,
  hasAnyAccess,
  type PROPOSAL_DECISIONS,
  NO_ASSISTANT_ACCESS,
  PROPOSAL_LIMITS,
  proposedChangeSchema,
  type AssistantAccess,
  type AssistantCall,
  type Proposal,
} from '../../shared/assistants.ts'
import { parseJsonAs } from '../../shared/parse-json.ts'
import { readFileIdentity } from '../store/file-header.ts'
import { openDatabaseReadOnly } from '../store/open-database.ts'
import { readDatabaseFile } from '../store/read-database-file.ts'
import { OWN_NAME } from './account-files.ts'
import type { OwnFile } from './own-file.ts'
import { OwnTables, type OwnTable } from './own-table.ts'
import { OWN_FILE } from './schema.ts'

const MAX_CALLS = 10_000
/** Calls between two cleanings of the log. */
const CALLS_PER_CLEANING = 100
/** Decided proposals to keep, so that the programs that made them can learn the outcome. */
const MAX_DECIDED = 1_000
/** Maximum characters of a logged text. */
const MAX_LOGGED_LENGTH = 1_000

interface StoredAccess {
  readonly name: string
  readonly access: string
}
type StoredCall = Omit<AssistantCall, 'id' | 'isRefused'> & { readonly is_refused: number }
type StoredProposal = Omit<Proposal, 'inboxId' | 'change'> & { readonly inbox_id: string; readonly change: string }
type Table<Row extends object> = Pick<OwnTable<Row>, 'put' | 'rows' | 'remove'>

/**
 * Assistants' access, calls and proposals, in the account's own file. The engine and any number of assistant servers
 * write them, even while Linnet isn't running.
 */
export class AssistantStore {
  readonly #write: OwnFile['write']
  readonly #access: Table<StoredAccess>
  readonly #calls: Table<StoredCall>
  readonly #proposals: Table<StoredProposal>

  constructor(own: Pick<OwnFile, 'table' | 'write'>) {
    this.#write = (work) => own.write(work)
    this.#access = own.table('assistant_access')
    this.#calls = own.table('assistant_calls')
    this.#proposals = own.table('assistant_proposals')
  }

  access(): AssistantAccess {
    const [row] = this.#access.rows()
    return (row && parseJsonAs(assistantAccessSchema, row.access)) ?? NO_ASSISTANT_ACCESS
  }

  setAccess(access: AssistantAccess): void {
    // Without any earlier access, nothing shall say that there was one.
    if (!hasAnyAccess(access) && this.#access.rows().length === 0) return
    this.#access.put({ name: 'access', access: JSON.stringify(access) })
  }

  /** A full log drops the oldest calls of its most frequent tool, so cheap calls don't displace reads. */
  note({ at, client, tool, asked, answer, isRefused }: Omit<AssistantCall, 'id'>): void {
    const short = (text: string): string => text.slice(0, MAX_LOGGED_LENGTH)
    const kind = "iif(is_refused, '', tool)"
    this.#write(() => {
      this.#calls.put({
        ...{ at, client: short(client), tool: short(tool), asked: short(asked), answer: short(answer) },
        is_refused: Number(isRefused),
      })
      this.#calls.remove(
        `sequence IN (SELECT sequence FROM assistant_calls
           WHERE ${kind} = (SELECT ${kind} FROM assistant_calls GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)
           ORDER BY sequence LIMIT max(0, (SELECT count(*) FROM assistant_calls) - ?))
         AND (SELECT max(sequence) FROM assistant_calls) % ? = 0`,
        MAX_CALLS,
        CALLS_PER_CLEANING,
      )
    })
  }

  /** Newest first. @param before ID of the last call already read; null for the newest */
  calls(before: number | null, limit: number): readonly AssistantCall[] {
    return this.#calls
      .rows('WHERE sequence < ? ORDER BY sequence DESC LIMIT ?', before ?? Number.MAX_SAFE_INTEGER, limit)
      .map(({ sequence, is_refused, ...call }) => ({ id: sequence, ...call, isRefused: is_refused === 1 }))
  }

  clearCalls(): void {
    this.#calls.remove('true')
  }

  /** Adds a proposal unless the same one is open. @returns its ID; null if too many are open */
  propose({ at, client, inboxId, reason, change }: Omit<Proposal, 'id' | 'state'>): string | null {
    return this.#write(() => {
      const open = this.openProposals()
      const text = JSON.stringify(change)
      const same = open.find(
        (each) => each.client === client && each.inboxId === inboxId && JSON.stringify(each.change) === text,
      )
      if (same !== undefined) return same.id
      if (open.length >= PROPOSAL_LIMITS.open) return null
      const id = randomUUID()
      this.#proposals.put({ id, at, client, inbox_id: inboxId, reason, change: text, state: 'open' })
      return id
    })
  }

  /** Oldest first. */
  openProposals(): readonly Proposal[] {
    return this.#read("WHERE state = 'open' ORDER BY sequence")
  }

  /** A proposal in any state; null if unknown or already deleted. */
  proposal(id: string): Proposal | null {
    return this.#read('WHERE id = ?', id)[0] ?? null
  }

  /** @returns true if it was open */
  decide(id: string, state: (typeof PROPOSAL_DECISIONS)[number]): boolean {
    return this.#write(() => {
      const [open] = this.#proposals.rows("WHERE id = ? AND state = 'open'", id)
      if (open === undefined) return false
      this.#proposals.put({ ...open, state })
      this.#proposals.remove(
        `state <> 'open' AND sequence <=
           (SELECT sequence FROM assistant_proposals WHERE state <> 'open' ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
        MAX_DECIDED,
      )
      return true
    })
  }

  reopen(id: string): void {
    this.#write(() => {
      for (const proposal of this.#proposals.rows('WHERE id = ?', id))
        this.#proposals.put({ ...proposal, state: 'open' })
    })
  }

  #read(tail: string, ...values: readonly unknown[]): readonly Proposal[] {
    return this.#proposals
      .rows(tail, ...values)
      .flatMap(({ id, at, client, inbox_id: inboxId, reason, change: text, state }) => {
        const change = parseJsonAs(proposedChangeSchema, text)
        return change === null ? [] : [{ id, at, client, inboxId, reason, change, state }]
      })
  }
}

/** True if the user has ever turned something on, or if that can't be read. */
export const hadAssistantAccess = (directory: string): boolean => {
  const file = join(directory, OWN_NAME)
  if (!existsSync(file)) return false
  return readDatabaseFile(
    file,
    (database) => database.prepare('SELECT 1 FROM assistant_access').get() !== undefined,
    true,
  )
}

/** An `AssistantStore` in a process that doesn't have the account open. */
export interface JoinedAssistantStore {
  readonly store: AssistantStore
  /** False once the account's file was replaced or removed. */
  readonly isCurrent: () => boolean
  readonly close: () => void
}

/** Never creates or repairs the file. @throws ProblemError `not_found`, `storage_failed` if unusable */
export const joinAssistantStore = (directory: string): JoinedAssistantStore => {
  const path = join(directory, OWN_NAME)
  const database = openDatabaseReadOnly(path, OWN_FILE)
  database.pragma('query_only = OFF')
  const identity = readFileIdentity(path)
  return {
    store: new AssistantStore(new OwnTables(database)),
    isCurrent: () => readFileIdentity(path) === identity,
    close: () => void database.close(),
  }
}
