/** Worker that reads heavy e-mails so that the window stays responsive. Started by `mail-worker.ts`. */
import { mailWork, type WorkAnswer, type WorkRequest } from './mail-work.ts'

addEventListener('message', ({ data }: MessageEvent<WorkRequest>) => {
  const answer: WorkAnswer = { id: data.id, result: mailWork[data.name](data.html) }
  postMessage(answer)
})
