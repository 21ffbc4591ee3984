// Its build for older browsers: the browser's host is opened in whatever browser a person has.
import { getDocument, PDFWorker, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { LEFT_OUT } from './left-out.ts'
import { OwnData } from './pdf-data.ts'

/** Points of a picture in a PDF: a larger one is left out, as no screen shows it and every machine has an end. */
const MOST_POINTS = 64_000_000
/** Milliseconds in which a PDF opens, or was made never to. */
const LONGEST = 60_000

export interface OpenPdf {
  readonly document: PDFDocumentProxy
  /** Ends its thread, whatever that is at. */
  readonly close: () => void
}

/** A PDF that takes longer to open than anybody waits. */
export class EndlessPdf extends Error {
  override readonly name = 'EndlessPdf'
}

/**
 * Opens a PDF for drawing alone: no script of it runs, nothing is fetched but Linnet's own fonts, and no form or link of it
 * works, as they are drawn like everything else.
 * @param bytes are given away
 * @param signal ends the opening
 * @param onLeftOut hears of parts that are not drawn
 * @throws what pdf.js throws for what is none; a `PasswordException` for one that is locked; `EndlessPdf` after a minute
 */
export const openPdf = async (bytes: Uint8Array, signal: AbortSignal, onLeftOut: () => void): Promise<OpenPdf> => {
  const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), { type: 'module' })
  thread.addEventListener('message', ({ data }) => {
    if (data === LEFT_OUT) onLeftOut()
  })
  const worker = new PDFWorker({ port: thread as unknown as null, verbosity: VerbosityLevel.WARNINGS })
  const task = getDocument({
    data: bytes,
    worker,
    useWorkerFetch: false,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MOST_POINTS,
    verbosity: VerbosityLevel.ERRORS,
    // The window's policy lets no WebAssembly run: two kinds of pictures are read by scripts of Linnet's own files.
    useWasm: false,
    wasmUrl: new URL('assets/pdf/', document.baseURI).href,
    // A JPEG is unpacked within the bounds of the thread, and not beside them by the browser.
    isImageDecoderSupported: false,
    BinaryDataFactory: OwnData,
    // Only said to be there: what is asked for is given by name.
    standardFontDataUrl: './',
    cMapUrl: './',
    cMapPacked: true,
  })
  const close = (): void => {
    // Not after it has answered: a thread that was made to run for ever never does.
    thread.terminate()
    void task.destroy().catch(() => undefined)
    worker.destroy()
  }
  const ended = new Promise<never>((_, reject) => {
    thread.addEventListener('error', () => reject(new Error('The thread of the PDF has ended.')))
    signal.addEventListener('abort', () => reject(signal.reason as Error))
    setTimeout(() => reject(new EndlessPdf()), LONGEST)
  })
  ended.catch(() => undefined)
  try {
    signal.throwIfAborted()
    return { document: await Promise.race([task.promise, ended]), close }
  } catch (thrown) {
    close()
    throw thrown
  }
}
