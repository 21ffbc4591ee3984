import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { Template, TemplateSummary } from '../../shared/templates.ts'
import type { Migration } from './open-database.ts'

/** Table for the platform's published templates, with the contents fetched so far. */
export const templatesSchema: Migration = {
  version: 5,
  sql: `
  CREATE TABLE templates (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- The platform's timestamp. Content stored for an earlier one is outdated.
    updated_at TEXT NOT NULL,
    -- Value of updated_at when the body was requested; null if it never was.
    body_of TEXT,
    -- Null if the content is too large or complex for Linnet.
    body TEXT,
    -- Stored outside the body because lists show it.
    subject TEXT
  ) STRICT, WITHOUT ROWID;
`,
}

const keptBody = z.object({
  html: z.string(),
  variables: z.array(
    z.object({ key: z.string(), type: z.enum(['string', 'number']), fallback: z.string().nullable() }),
  ),
})
type Body = Pick<Template, 'subject' | 'html' | 'variables'>

interface Row extends TemplateSummary {
  readonly body: string | null
}

interface Listed {
  readonly id: string
  readonly name: string
  /** The platform's timestamp; only compared for equality. */
  readonly updatedAt: string
}

export class TemplateStore {
  readonly #database: Database.Database
  readonly #summaries: Database.Statement<[], TemplateSummary>
  readonly #listed: Database.Statement<[], Listed>
  readonly #unfetched: Database.Statement<[], string>
  readonly #current: Database.Statement<[string], Row>
  readonly #put: Database.Statement<[string, string, string]>
  readonly #keep: Database.Statement<[string, string, string, string | null, string | null, string]>
  readonly #giveUp: Database.Statement<[string]>
  readonly #delete: Database.Statement<[string]>

  constructor(database: Database.Database) {
    this.#database = database
    this.#summaries = database.prepare('SELECT id, name, subject FROM templates')
    this.#listed = database.prepare('SELECT id, name, updated_at AS updatedAt FROM templates')
    this.#unfetched = database.prepare<[], string>('SELECT id FROM templates WHERE body_of IS NOT updated_at').pluck()
    this.#current = database.prepare(
      'SELECT id, name, subject, body FROM templates WHERE id = ? AND body_of = updated_at',
    )
    this.#put = database.prepare(
      `INSERT INTO templates (id, name, updated_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at`,
    )
    this.#keep = database.prepare(
      'UPDATE templates SET name = ?, updated_at = ?, body_of = ?, subject = ?, body = ? WHERE id = ?',
    )
    this.#giveUp = database.prepare('UPDATE templates SET body_of = updated_at, body = NULL WHERE id = ?')
    this.#delete = database.prepare('DELETE FROM templates WHERE id = ?')
  }

  summaries(): readonly TemplateSummary[] {
    return this.#summaries.all()
  }

  /** The current version of a template; null if not stored or damaged. */
  get(id: string): Template | null {
    const row = this.#current.get(id)
    if (typeof row?.body !== 'string') return null
    try {
      return { id, name: row.name, subject: row.subject, ...keptBody.parse(JSON.parse(row.body)) }
    } catch {
      return null
    }
  }

  /** IDs of templates whose current content hasn't been requested. */
  unasked(): readonly string[] {
    return this.#unfetched.all()
  }

  /** Replaces the list without removing stored contents. @returns true if anything has changed */
  replace(templates: readonly Listed[]): boolean {
    const write = this.#database.transaction((): boolean => {
      const before = new Map(this.#listed.all().map((row) => [row.id, row] as const))
      let isOther = before.size !== templates.length
      for (const { id, name, updatedAt } of templates) {
        const known = before.get(id)
        before.delete(id)
        if (known?.name === name && known.updatedAt === updatedAt) continue
        isOther = true
        this.#put.run(id, name, updatedAt)
      }
      for (const id of before.keys()) this.#delete.run(id)
      return isOther
    })
    return write()
  }

  /**
   * Stores a template's content, unless the template was deleted. @param body null if it is too large or complex for
   * Linnet
   */
  keep({ id, name, updatedAt }: Listed, body: Body | null): void {
    const text = body === null ? null : JSON.stringify({ html: body.html, variables: body.variables })
    this.#keep.run(name, updatedAt, updatedAt, body?.subject ?? null, text, id)
  }

  /** Records that the current version can't be fetched. The template is requested again once it changes. */
  giveUp(id: string): void {
    this.#giveUp.run(id)
  }

  remove(id: string): void {
    this.#delete.run(id)
  }
}
