/**
 * Bounds what a PDF may unfold to: a few bytes of a packed stream can mean gigabytes, and the thread that reads them has no
 * other bound than the computer's memory. What asks for more fails as if there were none, which pdf.js takes for a fault of
 * the page or picture alone. Imported before pdf.js.
 */

/** Bytes of one array: what the largest picture that is drawn needs, and more than any page's words do. */
const MOST_BYTES = 256 * 1024 * 1024

const KINDS = [
  // What two kinds of pictures are unpacked in (`open-pdf.ts`) grows by whole buffers.
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

for (const kind of KINDS) {
  const Unbounded = globalThis[kind]
  const bounded = new Proxy(Unbounded, {
    construct: (target, given: readonly unknown[], made): object => {
      const [length] = given
      const bytesEach = 'BYTES_PER_ELEMENT' in target ? target.BYTES_PER_ELEMENT : 1
      if (typeof length === 'number' && length * bytesEach > MOST_BYTES) {
        throw new RangeError('This is more than a PDF may take.')
      }
      return Reflect.construct(target, given, made) as object
    },
  })
  Object.defineProperty(globalThis, kind, { value: bounded, configurable: true, writable: true })
}
