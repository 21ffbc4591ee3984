/** Worker thread for backups, so disk waits don't block the engine. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { BackupMessage, BackupTask, OutboxCopiedMessage } from './backup-task.ts'
import { writeBackup } from './write-backup.ts'

const port = parentPort
if (port === null) throw new Error('The backup worker must run in a worker thread.')

// Keep the thread alive until terminated; see `parts-worker.ts`.
port.on('message', () => undefined)

const post = (news: BackupMessage): void => port.postMessage(news)
const copyOutbox = async (file: string): Promise<OutboxCopiedMessage> => {
  const copied = once(port, 'message')
  post({ kind: 'outbox wanted', file })
  return ((await copied) as [OutboxCopiedMessage])[0]
}

/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 100
let lastProgressAt = -Infinity
const postProgress = (done: number, total: number): void => {
  if (performance.now() - lastProgressAt < PROGRESS_INTERVAL_MS) return
  lastProgressAt = performance.now()
  post({ kind: 'progress', done, total })
}

writeBackup(workerData as BackupTask, copyOutbox, postProgress).then(
  (written) => post({ kind: 'done', ...written }),
  (thrown: unknown) => {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    post({ kind: 'failed', code, message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) })
  },
)
