/** Bytes per `fromCharCode` call, as the number of arguments is limited. */
const CHUNK_BYTES = 32_768

export const encodeBase64 = (bytes: Uint8Array): string => {
  const letters: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    letters.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES)))
  return btoa(letters.join(''))
}

export const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}
