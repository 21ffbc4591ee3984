/** Reads a body. @param maxBytes aborts beyond this @param progress called with the bytes received so far */
export const readBody = async (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  progress: (done: number) => void = () => undefined,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
    progress(size)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
