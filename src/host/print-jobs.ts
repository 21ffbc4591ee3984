import type { Handlers, SavedFile } from '../shared/contract.ts'
import type { RequestedFile } from '../shared/engine-api.ts'
import { type ProblemError, createProblem } from '../shared/result.ts'
import { toSafeFilename } from '../shared/safe-filename.ts'

/** Prints sanitised HTML, which runs and loads nothing. */
export interface Printer {
  /** Opens the print dialog. @throws ProblemError if printing fails, but not if the user cancels */
  readonly print: (html: string) => Promise<void>
  readonly toPdf: (html: string) => Promise<Uint8Array>
}

const notFound = (message: string): ProblemError => createProblem('not_found', message)

/** Handles print requests. Holds one document at a time, until it is printed or replaced by another. */
export const createPrintHandlers = ({
  printer,
  saveFile,
}: {
  readonly printer: Printer | null
  readonly saveFile: (file: RequestedFile) => Promise<SavedFile>
}): Handlers<'print.add' | 'print.preview' | 'print.run'> => {
  let held: { readonly job: string; readonly pieces: readonly string[] } | null = null
  const take = (job: string, pieces: number): { readonly html: string; readonly printer: Printer } => {
    if (printer === null) throw notFound('Linnet can’t print from a browser window. Use your browser’s print command.')
    if (held?.job !== job || held.pieces.length !== pieces)
      throw notFound('This document is no longer available. Try again.')
    const html = held.pieces.join('')
    held = null
    return { html, printer }
  }
  return {
    'print.add': ({ job, place, html }) => {
      if (held?.job !== job) held = { job, pieces: [] }
      if (place !== held.pieces.length) throw notFound('Another document is being printed. Try again.')
      held = { job, pieces: [...held.pieces, html] }
    },
    'print.preview': async ({ job, pieces }) => {
      const { html, printer } = take(job, pieces)
      return { base64: Buffer.from(await printer.toPdf(html)).toString('base64') }
    },
    'print.run': async ({ job, pieces, as, name }) => {
      const { html, printer } = take(job, pieces)
      if (as === 'paper') {
        await printer.print(html)
        return null
      }
      return saveFile({ filename: `${toSafeFilename(name) || 'E-mail'}.pdf`, content: await printer.toPdf(html) })
    },
  }
}
