import { cutHtml } from './cut-html.ts'
import { htmlToText } from './html-to-text.ts'

/** Work on untrusted HTML that needs no document and can run in a worker: text in, values out. */
export const mailWork = {
  htmlToText: (html: string): string => htmlToText(html),
  /** Visible text only. */
  htmlToWords: (html: string): string => htmlToText(html, false),
  cutHtml,
} as const

export type MailWork = typeof mailWork

export interface WorkRequest {
  readonly id: number
  readonly name: keyof MailWork
  readonly html: string
}

export interface WorkAnswer {
  readonly id: number
  readonly result: ReturnType<MailWork[keyof MailWork]>
}
