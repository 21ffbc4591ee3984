/** The pdf.js worker, imported for its side effects. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {}
