import { cutHtml } from './cut-html.ts'
import { htmlToText } from './html-to-text.ts'

/** What can be done to a stranger's HTML without a document, and so off the window's thread: text in, values out. */
export const mailWork = {
  htmlToText: (html: string): string => htmlToText(html),
  /** Only what stands on the screen as letters. */
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
