import type { MailWork, WorkAnswer, WorkRequest } from './mail-work.ts'

/** Milliseconds. Work is linear, and 10 MB take a second or two; a thread that is not done by then is given up. */
const PATIENCE = 30_000

interface Waiting {
  readonly resolve: (result: WorkAnswer['result']) => void
  readonly reject: (reason: Error) => void
  readonly timer: ReturnType<typeof setTimeout>
}

const waiting = new Map<number, Waiting>()
let thread: Worker | null = null
let lastId = 0

/** Ends the thread; what it had not done fails, and the next work starts another one. */
const giveUp = (message: string): void => {
  thread?.terminate()
  thread = null
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer)
    reject(new Error(message))
  }
  waiting.clear()
}

const startThread = (): Worker => {
  const started = new Worker(new URL('./mail-thread.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<WorkAnswer>) => {
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    clearTimeout(asked?.timer)
    asked?.resolve(data.result)
  })
  started.addEventListener('error', () => giveUp('The thread that reads heavy e-mails ended.'))
  return started
}

/**
 * Works on a stranger's HTML on a thread of its own.
 * @throws where the thread ends or takes longer than half a minute
 */
export const workOnHtml = <Name extends keyof MailWork>(
  name: Name,
  html: string,
): Promise<ReturnType<MailWork[Name]>> =>
  new Promise((resolve, reject) => {
    lastId += 1
    const request: WorkRequest = { id: lastId, name, html }
    waiting.set(lastId, {
      resolve: resolve as Waiting['resolve'],
      reject,
      timer: setTimeout(() => giveUp('A heavy e-mail took too long.'), PATIENCE),
    })
    thread ??= startThread()
    thread.postMessage(request)
  })
