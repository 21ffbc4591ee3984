import { sendScheduled } from './mail/send.ts'
import type { Platform } from './platform.ts'
import { refreshThread } from './storage/threads.ts'

const day = 24 * 60 * 60 * 1000

/** What happens by the clock and not by a request: scheduled e-mails go out, what is past its time goes away. */
export async function keepHouse(platform: Platform): Promise<void> {
  await sendScheduled(platform)
  platform.db.transaction(() => {
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
  const touched = db.all<{ seq: number }>(
    'SELECT DISTINCT thread_seq AS seq FROM emails WHERE received_at < ? AND thread_seq IS NOT NULL',
    oldest,
  )
  db.run("DELETE FROM emails WHERE received_at < ? AND last_event IS NOT 'scheduled'", oldest)
  db.run('DELETE FROM threads WHERE NOT EXISTS (SELECT 1 FROM emails WHERE thread_seq = threads.seq)')
  for (const { seq } of touched) refreshThread(db, seq)
}

/** Platform facts 1: an idempotency key is known for 24 hours. */
function forgetIdempotencyKeys({ db, now }: Platform): void {
  db.run('DELETE FROM idempotency_keys WHERE created_at <= ?', now() - day)
}
