/** Changes globals of the PDF worker. Import before pdf.js. */
import { SKIPPED_PART } from './skipped-part.ts'

/** Maximum bytes of one array: enough for the largest picture drawn, and more than any page's text. */
const MAX_BYTES = 256 * 1024 * 1024

const KINDS = [
  // The decoders of two picture formats (`open-pdf.ts`) grow by whole buffers.
  'ArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int8Array',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
] as const

// Limits memory while reading PDFs, where a few compressed bytes can expand to gigabytes. A larger allocation fails as
// if memory were full, which pdf.js treats as an error of that page or picture.
for (const kind of KINDS) {
  const Unbounded = globalThis[kind]
  const bounded = new Proxy(Unbounded, {
    construct: (target, given: readonly unknown[], made): object => {
      const [length] = given
      const bytesEach = 'BYTES_PER_ELEMENT' in target ? target.BYTES_PER_ELEMENT : 1
      if (typeof length === 'number' && length * bytesEach > MAX_BYTES) {
        throw new RangeError('This PDF is too large to preview.')
      }
      return Reflect.construct(target, given, made) as object
    },
  })
  Object.defineProperty(globalThis, kind, { value: bounded, configurable: true, writable: true })
}

const SKIP_WARNINGS =
  /Image exceeded maximum allowed size|Unable to decode|Image dimensions are missing|ignoring errors during/

// Reports skipped parts of a page to the worker's owner, as pdf.js only logs them.
Object.assign(console, {
  warn: (line: unknown): void => {
    if (typeof line === 'string' && SKIP_WARNINGS.test(line)) postMessage(SKIPPED_PART)
  },
})
