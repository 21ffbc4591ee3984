/** Reports skipped parts of a page to the thread's owner, as pdf.js only logs them. Import before pdf.js. */
import { SKIPPED_PART } from './skipped-part.ts'

const SKIP_WARNINGS =
  /Image exceeded maximum allowed size|Unable to decode|Image dimensions are missing|ignoring errors during/

Object.assign(console, {
  warn: (line: unknown): void => {
    if (typeof line === 'string' && SKIP_WARNINGS.test(line)) postMessage(SKIPPED_PART)
  },
})
