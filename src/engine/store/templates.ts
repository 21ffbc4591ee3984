import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { Template, TemplateSummary } from '../../shared/templates.ts'
import type { Migration } from './open-database.ts'

/** Published templates of the platform, and what they say as far as that was asked for. */
export const templatesSchema: Migration = {
  version: 5,
  sql: `
  CREATE TABLE templates (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    -- In the platform's words: what is kept of an earlier one is old.
    updated_at TEXT NOT NULL,
    -- As of when its body was asked for, in the same words; null where it was not.
    body_of TEXT,
    -- Null where there is more of it than Linnet takes.
    body TEXT,
    -- That of its body, apart: lists show it.
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
  /** In the platform's words: differs once it has changed. */
  readonly updatedAt: string
}

export class TemplateStore {
  readonly #database: Database.Database
  readonly #summaries: Database.Statement<[], TemplateSummary>
  readonly #listed: Database.Statement<[], Listed>
  readonly #unasked: Database.Statement<[], string>
  readonly #current: Database.Statement<[string], Row>
  readonly #put: Database.Statement<[string, string, string]>
  readonly #keep: Database.Statement<[string, string, string, string | null, string | null, string]>
  readonly #giveUp: Database.Statement<[string]>
  readonly #delete: Database.Statement<[string]>

  constructor(database: Database.Database) {
    this.#database = database
    this.#summaries = database.prepare('SELECT id, name, subject FROM templates')
    this.#listed = database.prepare('SELECT id, name, updated_at AS updatedAt FROM templates')
    this.#unasked = database.prepare<[], string>('SELECT id FROM templates WHERE body_of IS NOT updated_at').pluck()
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

  /** In no order. */
  summaries(): readonly TemplateSummary[] {
    return this.#summaries.all()
  }

  /** What is kept of a template as it is now; null where nothing is, or it is damaged. */
  get(id: string): Template | null {
    const row = this.#current.get(id)
    if (typeof row?.body !== 'string') return null
    try {
      return { id, name: row.name, subject: row.subject, ...keptBody.parse(JSON.parse(row.body)) }
    } catch {
      return null
    }
  }

  /** The IDs of those whose bodies were not asked for since they changed. */
  unasked(): readonly string[] {
    return this.#unasked.all()
  }

  /** Takes over what there is now; what is kept of bodies stays. @returns whether anything differs from before */
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

  /** Keeps what a template says, unless it is not there any more. @param body null where there is more than Linnet takes */
  keep({ id, name, updatedAt }: Listed, body: Body | null): void {
    const text = body === null ? null : JSON.stringify({ html: body.html, variables: body.variables })
    this.#keep.run(name, updatedAt, updatedAt, body?.subject ?? null, text, id)
  }

  /** Notes that what a template says now cannot be had: it is not asked for again until it has changed. */
  giveUp(id: string): void {
    this.#giveUp.run(id)
  }

  remove(id: string): void {
    this.#delete.run(id)
  }
}
