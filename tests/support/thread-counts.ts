import Database from 'better-sqlite3'

const COUNTED = 'inbox_key, folder, read, in_sent, on_server'

/** A cache's stored counts of threads, and the same counts from its rows. */
export const readThreadCounts = (file: string): { readonly stored: unknown; readonly counted: unknown } => {
  const database = new Database(file, { readonly: true })
  try {
    const all = (sql: string): unknown => database.prepare(`${sql} ORDER BY ${COUNTED}, lacks_emails`).all()
    return {
      stored: all('SELECT * FROM thread_counts WHERE threads <> 0'),
      counted: all(
        `SELECT ${COUNTED}, on_server = 1 AND emails_at IS NOT received_at AS lacks_emails, count(*) AS threads
         FROM threads GROUP BY ${COUNTED}, lacks_emails`,
      ),
    }
  } finally {
    database.close()
  }
}
