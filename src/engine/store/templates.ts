import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { Template, TemplateSummary } from '../../shared/templates.ts'
import { runInTransaction } from './watch-database.ts'

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

export const createTemplateStore = (database: Database.Database) => {
  const summaries = database.prepare<[], TemplateSummary>('SELECT id, name, subject FROM templates')
  const listed = database.prepare<[], Listed>('SELECT id, name, updated_at AS updatedAt FROM templates')
  const unasked = database.prepare<[], string>('SELECT id FROM templates WHERE body_version IS NOT updated_at').pluck()
  const current = database.prepare<[string], Row>(
    'SELECT id, name, subject, body FROM templates WHERE id = ? AND body_version = updated_at',
  )
  const put = database.prepare<[string, string, string]>(
    `INSERT INTO templates (id, name, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at`,
  )
  const keep = database.prepare<[string, string, string, string | null, string | null, string]>(
    'UPDATE templates SET name = ?, updated_at = ?, body_version = ?, subject = ?, body = ? WHERE id = ?',
  )
  const giveUp = database.prepare<[string]>('UPDATE templates SET body_version = updated_at, body = NULL WHERE id = ?')
  const remove = database.prepare<[string]>('DELETE FROM templates WHERE id = ?')
  return {
    summaries: (): readonly TemplateSummary[] => summaries.all(),
    /** The current version of a template; null if not stored or damaged. */
    get: (id: string): Template | null => {
      const row = current.get(id)
      if (typeof row?.body !== 'string') return null
      try {
        return { id, name: row.name, subject: row.subject, ...keptBody.parse(JSON.parse(row.body)) }
      } catch {
        return null
      }
    },
    /** IDs of templates whose current content hasn't been requested. */
    unasked: (): readonly string[] => unasked.all(),
    /** Replaces the list without removing stored contents. @returns true if anything has changed */
    replace: (templates: readonly Listed[]): boolean =>
      runInTransaction(database, () => {
        const before = new Map(listed.all().map((row) => [row.id, row] as const))
        let isOther = before.size !== templates.length
        for (const { id, name, updatedAt } of templates) {
          const known = before.get(id)
          before.delete(id)
          if (known?.name === name && known.updatedAt === updatedAt) continue
          isOther = true
          put.run(id, name, updatedAt)
        }
        for (const id of before.keys()) remove.run(id)
        return isOther
      }),
    /**
     * Stores a template's content, unless the template was deleted. @param body null if it is too large or complex for
     * Linnet
     */
    keep: ({ id, name, updatedAt }: Listed, body: Body | null): void => {
      const text = body === null ? null : JSON.stringify({ html: body.html, variables: body.variables })
      keep.run(name, updatedAt, updatedAt, body?.subject ?? null, text, id)
    },
    /** Records that the current version can't be fetched. The template is requested again once it changes. */
    giveUp: (id: string): void => void giveUp.run(id),
    remove: (id: string): void => void remove.run(id),
  }
}
