import type { MailWorkerTasks, TaskResult, TaskRequest } from './mail-worker-tasks.ts'

/** Milliseconds. The work is linear, and 10 MB take a second or two. A worker that takes longer is terminated. */
const TIMEOUT_MS = 30_000

interface Waiting {
  readonly resolve: (result: TaskResult['result']) => void
  readonly reject: (reason: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

const waiting = new Map<number, Waiting>()
let mailWorker: Worker | null = null
let lastId = 0

/** Terminates the worker. Pending work fails, and the next request starts a new worker. */
const failAll = (message: string): void => {
  mailWorker?.terminate()
  mailWorker = null
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer)
    reject(new Error(message))
  }
  waiting.clear()
}

const startWorker = (): Worker => {
  const started = new Worker(new URL('./mail-worker-entry.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<TaskResult>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    clearTimeout(asked?.timer)
    asked?.resolve(data.result)
  })
  started.addEventListener('error', () => failAll('The worker for large messages stopped.'))
  return started
}

/** Processes untrusted HTML in a worker. @throws if the worker fails or takes longer than 30 seconds */
export const runInMailWorker = <Name extends keyof MailWorkerTasks>(
  name: Name,
  html: string,
): Promise<ReturnType<MailWorkerTasks[Name]>> =>
  new Promise((resolve, reject) => {
    lastId += 1
    const request: TaskRequest = { id: lastId, name, html }
    waiting.set(lastId, {
      resolve: resolve as Waiting['resolve'],
      reject,
      timer: setTimeout(() => failAll('A large message took too long to process.'), TIMEOUT_MS),
    })
    mailWorker ??= startWorker()
    mailWorker.postMessage(request)
  })
