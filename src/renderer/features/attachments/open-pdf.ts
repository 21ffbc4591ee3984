// The legacy build, because the browser host may be opened in an older browser.
import { getDocument, PDFWorker, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { SKIPPED_PART } from './skipped-part.ts'

/** Files that PDFs expect from the viewer: the standard fonts and the maps of old Asian encodings. */
const addressesByName = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]))

const FONTS = addressesByName(
  import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
)
const MAPS = addressesByName(
  import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
)

/** Fetches one of the window's own files. @throws if no file has this name */
const fetchBundled = async (files: ReadonlyMap<string, string>, name: string): Promise<Uint8Array> => {
  const url = files.get(name)
  if (url === undefined) throw new Error('This pdf.js file is not bundled.')
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('The bundled pdf.js file could not be loaded.')
  return new Uint8Array(await answer.arrayBuffer())
}

/** Gives pdf.js its fonts and maps by file name only, ignoring any URL from a PDF or an option. */
class BundledPdfData {
  readonly fetch = ({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> =>
    fetchBundled(kind === 'cMapUrl' ? MAPS : FONTS, filename)
}

/** Maximum pixels of a picture in a PDF. Larger ones are skipped: no screen shows them, and memory is limited. */
const MAX_IMAGE_PIXELS = 64_000_000
/** Time-out for opening a PDF, in milliseconds. */
const OPEN_TIMEOUT_MS = 60_000

export interface OpenPdf {
  readonly document: PDFDocumentProxy
  /** Terminates the worker, whatever it is doing. */
  readonly close: () => void
}

export class PdfTimeoutError extends Error {
  override readonly name = 'PdfTimeoutError'
}

/**
 * Opens a PDF for display only. Its scripts don't run, its forms and links don't work, and nothing is fetched except
 * Linnet's own fonts.
 * @param bytes transferred to the worker
 * @throws pdf.js errors for an invalid file, a `PasswordException` for a locked one, `PdfTimeoutError` after a minute
 */
export const openPdf = async (bytes: Uint8Array, signal: AbortSignal, onSkippedPart: () => void): Promise<OpenPdf> => {
  const thread = new Worker(new URL('./pdf-worker-entry.ts', import.meta.url), { type: 'module' })
  thread.addEventListener('message', ({ data }) => {
    if (data === SKIPPED_PART) onSkippedPart()
  })
  const worker = new PDFWorker({ port: thread as unknown as null, verbosity: VerbosityLevel.WARNINGS })
  const task = getDocument({
    data: bytes,
    worker,
    useWorkerFetch: false,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: VerbosityLevel.ERRORS,
    // The window's policy forbids WebAssembly. Scripts among Linnet's files decode two picture formats instead.
    useWasm: false,
    wasmUrl: new URL('assets/pdf/', document.baseURI).href,
    // Decode JPEGs in the worker, within its memory limit, not in the browser.
    isImageDecoderSupported: false,
    BinaryDataFactory: BundledPdfData,
    // Required but unused: `BundledPdfData` resolves files by name.
    standardFontDataUrl: './',
    cMapUrl: './',
    cMapPacked: true,
  })
  const close = (): void => {
    // Don't wait for a response: a worker in an endless loop never sends one.
    thread.terminate()
    void task.destroy().catch(() => undefined)
    worker.destroy()
  }
  const ended = new Promise<never>((_, reject) => {
    thread.addEventListener('error', () => reject(new Error('The PDF worker stopped.')))
    signal.addEventListener('abort', () => reject(signal.reason as Error))
    setTimeout(() => reject(new PdfTimeoutError()), OPEN_TIMEOUT_MS)
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
