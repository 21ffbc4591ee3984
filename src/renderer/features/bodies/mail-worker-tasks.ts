import { truncateHtml } from './truncate-html.ts'
import { htmlToText, htmlToWords } from '../../../shared/mail-text/html-to-text.ts'

/** Work on untrusted HTML that needs no document and can run in a worker: text in, values out. */
export const mailWorkerTasks = {
  htmlToText: (html: string): string => htmlToText(html),
  /** Visible text only. */
  htmlToSearchText: (html: string): string => htmlToWords(html, true),
  truncateHtml,
} as const

export type MailWorkerTasks = typeof mailWorkerTasks

export interface TaskRequest {
  readonly id: number
  readonly name: keyof MailWorkerTasks
  readonly html: string
}

export interface TaskResult {
  readonly id: number
  readonly result: ReturnType<MailWorkerTasks[keyof MailWorkerTasks]>
}
