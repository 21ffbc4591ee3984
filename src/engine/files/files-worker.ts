/** Worker thread for backups and exports, so that neither large files nor slow disks block the engine. */
import { parentPort } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import { writeBackup, type BackupHost } from './backup/write-backup.ts'
import { writeExport, type ExportHost } from './export/write-export.ts'
import type { FileTasks } from './run-file-task.ts'

const port = parentPort
if (port === null) throw new Error('The files worker must run in a worker thread.')

const tasks = {} as FileTasks
// The listener also keeps the thread alive until it is terminated; see `parts-worker.ts`.
const host = createBirpc<BackupHost & ExportHost, FileTasks>(tasks, {
  post: (message) => port.postMessage(message),
  on: (listen) => port.on('message', listen),
  eventNames: ['onCopied', 'onExported'],
  timeout: -1,
})
Object.assign(tasks, {
  backup: (task) => writeBackup(task, host),
  export: (task) => writeExport(task, host),
} satisfies FileTasks)
