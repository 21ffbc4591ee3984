/** Bytes to keep from the start of an oversized body, to find out what is so large. */
const BEGINNING_BYTES = 64 * 1024

/**
 * Reads a body. Throws the error of `tooLarge` beyond `maxBytes`, without downloading the rest.
 * @param progress called with the bytes received so far, and those of the latest chunk
 * @param size announced size; null if unknown
 */
export const readBody = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: (beginning: Uint8Array) => Error,
  progress: (done: number, added: number) => void = () => undefined,
  size: number | null = null,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let done = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    done += chunk.byteLength
    progress(done, chunk.byteLength)
    if (done > maxBytes || ((size ?? 0) > maxBytes && done >= BEGINNING_BYTES)) {
      throw tooLarge(Buffer.concat(chunks).subarray(0, BEGINNING_BYTES))
    }
  }
  return new Uint8Array(Buffer.concat(chunks))
}
