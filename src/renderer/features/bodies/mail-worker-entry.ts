/** Worker that reads heavy e-mails so that the window stays responsive. Started by `mail-worker.ts`. */
import { mailWorkerTasks, type TaskResult, type TaskRequest } from './mail-worker-tasks.ts'

addEventListener('message', ({ data }: MessageEvent<TaskRequest>) => {
  const answer: TaskResult = { id: data.id, result: mailWorkerTasks[data.name](data.html) }
  postMessage(answer)
})
