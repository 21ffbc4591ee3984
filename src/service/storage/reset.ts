import { endOtherKeys } from './api-keys.ts'
import type { Database } from './database.ts'

/** Tables of which something, or all, outlives a reset. */
const keptTables = new Set(['settings', 'domains', 'api_keys', 'inboxes'])

/**
 * Empties the database, but for one inbox and one key.
 * @param inboxId the inbox that stays, without its mail
 * @param apiKey the key that stays
 */
export function resetDatabase(db: Database, inboxId: string, apiKey: string): void {
  db.transaction(() => {
    // Until the commit a row may refer to one that is gone.
    db.run('PRAGMA defer_foreign_keys = ON')
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    for (const { name } of tables) if (!keptTables.has(name)) db.run(`DELETE FROM "${name}"`)
    db.run('DELETE FROM inboxes WHERE id <> ?', inboxId)
    db.run('DELETE FROM domains WHERE id NOT IN (SELECT domain_id FROM inboxes)')
    endOtherKeys(db, apiKey)
  })
}
