/** What pdf.js runs in a thread: it is imported for what it does alone. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {}
