/** Bytes processed between checks of the clock. */
export const SLICE_BYTES = 256 * 1024

export const splitIntoSlices = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES)
}
