import { createBirpc, type BirpcReturn } from 'birpc'
import type { MailWorkerTasks } from './mail-worker-entry.ts'

/** Milliseconds. The work is linear, and 10 MB take a second or two. A worker that takes longer is terminated. */
const TIMEOUT_MS = 30_000

let running: BirpcReturn<MailWorkerTasks> | null = null

const start = (): BirpcReturn<MailWorkerTasks> => {
  const worker = new Worker(new URL('./mail-worker-entry.ts', import.meta.url), { type: 'module' })
  const rpc: BirpcReturn<MailWorkerTasks> = createBirpc<MailWorkerTasks>(
    {},
    {
      post: (message) => worker.postMessage(message),
      on: (listen) => worker.addEventListener('message', ({ data }) => listen(data)),
      timeout: TIMEOUT_MS,
      onTimeoutError: () => stop('A large message took too long to process.'),
    },
  )
  /** Pending work fails, and the next request starts a new worker. */
  function stop(message: string): void {
    worker.terminate()
    running = null
    rpc.$close(new Error(message))
  }
  worker.addEventListener('error', () => stop('The worker for large messages stopped.'))
  return rpc
}

/** Processes untrusted HTML in a worker. Its tasks throw if the worker fails or takes longer than 30 seconds. */
export const mailWorker = (): BirpcReturn<MailWorkerTasks> => (running ??= start())
