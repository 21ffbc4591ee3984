/** The worker that reads PDFs, from Linnet's own files. Started by `open-pdf.ts`. */
import './limit-memory.ts'
import './report-skipped-parts.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
