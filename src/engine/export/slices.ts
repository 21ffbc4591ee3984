/** Bytes processed between checks of the clock. */
export const AT_ONCE = 256 * 1024

export const slicesOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE)
}
