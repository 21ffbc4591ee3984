/** The thread on which heavy e-mails are read, so that the window goes on answering. Started by `mail-worker.ts`. */
import { mailWork, type WorkAnswer, type WorkRequest } from './mail-work.ts'

addEventListener('message', ({ data }: MessageEvent<WorkRequest>) => {
  const answer: WorkAnswer = { id: data.id, result: mailWork[data.name](data.html) }
  postMessage(answer)
})
