import { passDeliveryEvents } from './mail/delivery-events.ts'
import { sendScheduled } from './mail/send.ts'
import type { Platform } from './platform.ts'
import type { Database } from './storage/database.ts'
import { refreshThread } from './storage/threads.ts'

const day = 24 * 60 * 60 * 1000

/** What happens by the clock and not by a request: scheduled e-mails go out and arrive, what is past its time goes away. */
export async function keepHouse(platform: Platform): Promise<void> {
  await sendScheduled(platform)
  platform.db.transaction(() => {
    passDeliveryEvents(platform)
    emptyTrash(platform)
    applyRetention(platform)
    forgetIdempotencyKeys(platform)
  })
}

/** Contract, Thread folders: a thread in trash "is scheduled for deletion in 30 days". */
function emptyTrash({ db, now }: Platform): void {
  db.run('DELETE FROM threads WHERE purge_at <= ?', now())
}

/** Platform facts 1, Retention: e-mails are kept for a number of days, and a thread as long as one of its e-mails. */
function applyRetention({ db, now, settings }: Platform): void {
  if (settings.retentionDays === null) return
  const oldest = now() - settings.retentionDays * day
  // Both directions are named so that the index which begins with them is used.
  const isOld = "direction IN ('inbound', 'outbound') AND received_at < ? AND last_event IS NOT 'scheduled'"
  const threads = db.all<{ seq: number | null }>(`SELECT DISTINCT thread_seq AS seq FROM emails WHERE ${isOld}`, oldest)
  db.run(`DELETE FROM emails WHERE ${isOld}`, oldest)
  for (const { seq } of threads) {
    if (seq === null) continue
    const isEmpty = db.get('SELECT 1 FROM emails WHERE thread_seq = ?', seq) === undefined
    if (isEmpty) db.run('DELETE FROM threads WHERE seq = ?', seq)
    else {
      refreshThread(db, seq)
      leaveInbox(db, seq)
    }
  }
}

/** Contract, Thread folders: a thread in `inbox` holds a received message; `sent` is one whose messages all are outbound. */
function leaveInbox(db: Database, thread: number): void {
  db.run(
    "UPDATE threads SET folder = 'sent' WHERE seq = ? AND folder = 'inbox' AND outbound_count = email_count",
    thread,
  )
}

/** Platform facts 1: an idempotency key is known for 24 hours. */
function forgetIdempotencyKeys({ db, now }: Platform): void {
  db.run('DELETE FROM idempotency_keys WHERE created_at <= ?', now() - day)
}
