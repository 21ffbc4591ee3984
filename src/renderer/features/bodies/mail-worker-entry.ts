/** Worker that reads heavy e-mails so that the window stays responsive. Started by `mail-worker.ts`. */
import { createBirpc } from 'birpc'
import { htmlToText, htmlToWords } from '../../../shared/mail-text/html-to-text.ts'
import { truncateHtml } from './truncate-html.ts'

const tasks = {
  htmlToText: (html: string): string => htmlToText(html),
  /** Visible text only. */
  htmlToSearchText: (html: string): string => htmlToWords(html, true),
  truncateHtml,
} as const

export type MailWorkerTasks = typeof tasks

createBirpc<object, MailWorkerTasks>(tasks, {
  post: (message) => postMessage(message),
  on: (listen) => addEventListener('message', ({ data }) => listen(data)),
})
