import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist'
import { OwnFonts, OwnMaps } from './pdf-data.ts'

/** Points of a picture in a PDF: a larger one is left out, as no screen shows it and every machine has an end. */
const MOST_POINTS = 64_000_000

/** A PDF that is open. */
export interface OpenPdf {
  readonly document: PDFDocumentProxy
  readonly close: () => void
}

/**
 * Opens a PDF for drawing alone: no script of it runs, nothing is fetched but Linnet's own fonts, and no form or link of it
 * works, as they are drawn like everything else.
 * @param bytes are given away
 * @throws what pdf.js throws for what is none; a `PasswordException` for one that is locked
 */
export const openPdf = async (bytes: Uint8Array): Promise<OpenPdf> => {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { type: 'module' })
  const worker = new PDFWorker({ port: thread as unknown as null })
  const task = getDocument({
    data: bytes,
    worker,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MOST_POINTS,
    verbosity: 0,
    StandardFontDataFactory: OwnFonts,
    CMapReaderFactory: OwnMaps,
    // Only said to be there: what is asked for is given by name.
    standardFontDataUrl: './',
    cMapUrl: './',
    cMapPacked: true,
  })
  const close = (): void => {
    void task.destroy().finally(() => {
      worker.destroy()
      thread.terminate()
    })
  }
  try {
    return { document: await task.promise, close }
  } catch (thrown) {
    close()
    throw thrown
  }
}
