/**
 * Tells whoever started this thread when a picture or another part of a page is left out: pdf.js says so by a line for
 * developers alone, and draws the rest. Imported before pdf.js.
 */
import { LEFT_OUT } from './left-out.ts'

const LINES = /Image exceeded maximum allowed size|Unable to decode|Image dimensions are missing|ignoring errors during/

Object.assign(console, {
  warn: (line: unknown): void => {
    if (typeof line === 'string' && LINES.test(line)) postMessage(LEFT_OUT)
  },
})
