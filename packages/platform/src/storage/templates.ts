import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export interface TemplateVariable {
  readonly id: string
  readonly key: string
  readonly type: 'string' | 'number'
  readonly fallback: string | number | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface TemplateRow {
  readonly seq: number
  readonly id: string
  readonly version_id: string
  readonly name: string
  readonly alias: string | null
  readonly sender: string | null
  readonly subject: string | null
  /** JSON array of addresses; null for none. */
  readonly reply_to: string | null
  readonly html: string
  readonly text: string | null
  /** JSON array of {@link TemplateVariable}. */
  readonly variables: string
  readonly published_at: number | null
  /** JSON of a {@link PublishedTemplate}; null if never published. */
  readonly published: string | null
  readonly is_changed: number
  readonly created_at: number
  readonly updated_at: number
}

export type TemplateContent = Pick<
  TemplateRow,
  'name' | 'alias' | 'sender' | 'subject' | 'reply_to' | 'html' | 'text' | 'variables'
>

/** The content as of the last publishing, with lists as JSON like in the row. */
export type PublishedTemplate = Pick<TemplateRow, 'sender' | 'subject' | 'reply_to' | 'html' | 'text' | 'variables'>

const valuesOf = (content: TemplateContent): readonly (string | null)[] => [
  content.name,
  content.alias,
  content.sender,
  content.subject,
  content.reply_to,
  content.html,
  content.text,
  content.variables,
]

/** Finds a template by ID or alias, which share a path parameter. */
export function findTemplate(db: Database, idOrAlias: string): TemplateRow | undefined {
  return db.get<TemplateRow>('SELECT * FROM templates WHERE id = ? OR alias = ?', idOrAlias, idOrAlias)
}

/** @param now milliseconds since 1970 @returns the new template's ID */
export function insertTemplate(db: Database, content: TemplateContent, now: number): string {
  const id = randomUUID()
  db.run(
    `INSERT INTO templates (id, version_id, name, alias, sender, subject, reply_to, html, text, variables, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    randomUUID(),
    ...valuesOf(content),
    now,
    now,
  )
  return id
}

export function updateTemplate(db: Database, { seq }: TemplateRow, content: TemplateContent, now: number): void {
  db.run(
    `UPDATE templates SET name = ?, alias = ?, sender = ?, subject = ?, reply_to = ?, html = ?, text = ?, variables = ?,
     version_id = ?, is_changed = published_at IS NOT NULL, updated_at = ? WHERE seq = ?`,
    ...valuesOf(content),
    randomUUID(),
    now,
    seq,
  )
}

export function publishTemplate(db: Database, id: string, now: number): void {
  db.run(
    `UPDATE templates SET published_at = ?, updated_at = ?, is_changed = 0, published = json_object('sender', sender,
       'subject', subject, 'reply_to', reply_to, 'html', html, 'text', text, 'variables', variables) WHERE id = ?`,
    now,
    now,
    id,
  )
}

export function deleteTemplate(db: Database, { seq }: TemplateRow): void {
  db.run('DELETE FROM templates WHERE seq = ?', seq)
}
