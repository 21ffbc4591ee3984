/** Bytes per `fromCharCode` call, as the number of arguments is limited. */
const CHUNK_BYTES = 32_768

export const encodeBase64 = (bytes: Uint8Array): string => {
  const letters: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    letters.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)))
  return btoa(letters.join(''))
}
