/** The worker that reads PDFs, from Linnet's own files. Started by `open-pdf.ts`. */
import './bounded-arrays.ts'
import './tell-of-gaps.ts'
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
