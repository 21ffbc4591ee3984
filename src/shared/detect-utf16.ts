const EXAMINED_BYTES = 2_000

/** Detects UTF-16 by its byte order mark, or because every other byte is zero, as in mostly Latin text. */
export const detectUtf16 = (head: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const looked = head.subarray(0, Math.min(head.length - (head.length % 2), EXAMINED_BYTES))
  const empty = [0, 1].map((place) => looked.filter((byte, at) => at % 2 === place && byte === 0).length)
  const [first = 0, second = 0] = empty
  const most = looked.length * 0.35
  if (first === 0 && second > most) return 'utf-16le'
  return second === 0 && first > most ? 'utf-16be' : null
}
