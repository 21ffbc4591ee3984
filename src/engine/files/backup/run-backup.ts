import { Worker } from 'node:worker_threads'
import type { LastBackup } from '../../../shared/backups.ts'
import { ProblemError, type Problem } from '../../../shared/result.ts'
import type { BackupMessage, BackupTask, OutboxCopiedMessage } from './backup-task.ts'

const UNAFFECTED_NOTE = 'Your mail and earlier backups are safe.'

/** @param code from the system or SQLite */
export const toBackupProblem = (code: string, folder: string): Problem => {
  const details = { cause: code }
  const withMessage = (message: string): Problem => ({ code: 'storage_failed', message, details })
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    return withMessage(
      `Not enough space for a backup in ${folder}. ${UNAFFECTED_NOTE} Free up some space, or choose another folder.`,
    )
  }
  if (/^(?:ENOENT|ENOTDIR|ENODEV|ENXIO)/.test(code)) {
    return withMessage(
      `The backup folder ${folder} is missing. ${UNAFFECTED_NOTE} Plug its disk in, or choose another folder.`,
    )
  }
  if (/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code)) {
    return withMessage(`Linnet has no permission to write to ${folder}. ${UNAFFECTED_NOTE} Choose another folder.`)
  }
  return withMessage(
    `The backup in ${folder} was not written correctly. ${UNAFFECTED_NOTE} Check that disk, or choose another.`,
  )
}

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

/**
 * Makes a backup in a worker thread, which calls `copyOutbox` after copying the cache.
 * @param progress bytes copied and verified, and the total
 * @throws ProblemError `storage_failed`, or the signal's reason, once the thread has exited and its leftovers can be
 * removed
 */
export const runBackup = (
  workerFile: string,
  task: BackupTask,
  copyOutbox: (file: string) => Promise<OutboxCopiedMessage>,
  progress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<LastBackup> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(workerFile, { workerData: task, env: {}, name: 'linnet-backup' })
    const listening = new AbortController()
    let isOver = false
    const end = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      listening.abort()
      void worker.terminate().then(settle, settle)
    }
    const fail = (code: string, cause: unknown): void =>
      end(() => reject(new ProblemError(toBackupProblem(code, task.folder), { cause })))
    signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)), { signal: listening.signal })
    worker.on('error', (thrown) => fail('', thrown))
    worker.on('exit', () => fail('', new Error('The backup thread exited early.')))
    worker.on('message', (news: BackupMessage) => {
      switch (news.kind) {
        case 'outbox wanted':
          copyOutbox(news.file).then(
            (copied) => worker.postMessage(copied),
            (thrown: unknown) => fail(codeOf(thrown), thrown),
          )
          return
        case 'progress':
          progress(news.done, news.total)
          return
        case 'failed':
          fail(news.code, new Error(news.message))
          return
        case 'done':
          end(() => resolve({ at: task.at, directory: news.directory, bytes: news.bytes, files: news.files }))
      }
    })
  })
