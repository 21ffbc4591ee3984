/** The worker that reads PDFs, from Linnet's own files. Started by `open-pdf.ts`. */
import './prepare-pdf-worker.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
