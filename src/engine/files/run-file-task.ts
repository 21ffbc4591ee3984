import { Worker } from 'node:worker_threads'
import { createBirpc, type BirpcReturn } from 'birpc'
import { unwrap, type Result } from '../../shared/result.ts'
import { resolveWorkerScript } from '../timing/worker-script.ts'
import type { BackupHost, BackupTask, WrittenBackup } from './backup/write-backup.ts'
import type { ExportHost, ExportProgress, ExportTask } from './export/write-export.ts'

/** Each returns its problem instead of throwing it, because errors lose their fields between threads. */
export interface FileTasks {
  readonly backup: (task: BackupTask) => Promise<Result<WrittenBackup>>
  readonly export: (task: ExportTask) => Promise<Result<ExportProgress>>
}

/** @param importer see `resolveWorkerScript` */
export const filesWorkerFile = (importer: string): string => resolveWorkerScript(importer, 'files/files-worker.ts')

/**
 * Runs a task in a thread of its own. @throws ProblemError the task's problem; the signal's reason; an unexpected error
 * of the thread. The thread has exited by then, so its leftovers can be removed.
 */
export const runFileTask = async <Data>(
  workerFile: string,
  host: BackupHost | ExportHost,
  run: (files: Pick<BirpcReturn<FileTasks>, keyof FileTasks>) => Promise<Result<Data>>,
  signal: AbortSignal,
): Promise<Data> => {
  signal.throwIfAborted()
  const worker = new Worker(workerFile, { env: {}, name: 'linnet-files' })
  const waiting = new AbortController()
  const files = createBirpc<FileTasks, Partial<BackupHost & ExportHost>>(host, {
    post: (message) => worker.postMessage(message),
    on: (listen) => worker.on('message', listen),
    timeout: -1,
  })
  try {
    return await new Promise<Data>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('The thread for files exited early.')))
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: waiting.signal })
      run(files).then(unwrap).then(resolve, reject)
    })
  } finally {
    waiting.abort()
    files.$close()
    await worker.terminate()
  }
}
