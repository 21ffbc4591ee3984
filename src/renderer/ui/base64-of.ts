/** Bytes per `fromCharCode` call, as the number of arguments is limited. */
const RUN = 32_768

export const base64Of = (bytes: Uint8Array): string => {
  const letters: string[] = []
  for (let at = 0; at < bytes.length; at += RUN) letters.push(String.fromCharCode(...bytes.subarray(at, at + RUN)))
  return btoa(letters.join(''))
}
