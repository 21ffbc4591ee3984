export interface UuencodedFile {
  readonly filename: string
  readonly bytes: Uint8Array
}

/** POSIX uuencode: `begin`, octal mode, name. */
const beginLine = /^begin (?:0?[0-7]{3}) (\S[^\r\n]{0,254})$/

/** Decodes a line; null if invalid. Some encoders drop trailing blanks or append a checksum. */
function decodeLine(line: string): Uint8Array | null {
  const length = (line.charCodeAt(0) - 32) & 63
  const signs = Math.ceil(length / 3) * 4
  if (!/^[ -`]*$/.test(line) || line.length > signs + 2 || line.length < Math.ceil((length * 4) / 3) / 2) return null
  const bytes = new Uint8Array(Math.ceil(length / 3) * 3)
  const sextet = (at: number): number => (at < line.length ? (line.charCodeAt(at) - 32) & 63 : 0)
  for (let group = 0; group * 3 < length; group++) {
    const at = 1 + group * 4
    const bits = (sextet(at) << 18) | (sextet(at + 1) << 12) | (sextet(at + 2) << 6) | sextet(at + 3)
    bytes.set([bits >> 16, (bits >> 8) & 255, bits & 255], group * 3)
  }
  return bytes.subarray(0, length)
}

/** Extracts uuencoded files. Incomplete or invalid ones stay text. @returns the same text if there are none */
export function extractUuencodedFiles(text: string): {
  readonly text: string
  readonly files: readonly UuencodedFile[]
} {
  if (!text.startsWith('begin ') && !text.includes('\nbegin ')) return { text, files: [] }
  const lines = text.split(/\r?\n/)
  const left: string[] = []
  const files: UuencodedFile[] = []
  // After the last `end` no file can be complete. Without this bound, each `begin` would scan all the text again.
  const lastEnd = lines.findLastIndex((line) => line.trimEnd() === 'end')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const filename = at < lastEnd ? beginLine.exec(line)?.[1]?.trim() : undefined
    const file = filename === undefined ? null : decodeFile(lines, at + 1)
    if (filename === undefined || file === null) left.push(line)
    else {
      files.push({ filename, bytes: Buffer.concat(file.pieces) })
      at = file.end
    }
  }
  return { text: files.length === 0 ? text : left.join('\n'), files }
}

function decodeFile(
  lines: readonly string[],
  start: number,
): { readonly pieces: readonly Uint8Array[]; readonly end: number } | null {
  const pieces: Uint8Array[] = []
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.trimEnd() === 'end') return { pieces, end: at }
    const bytes = line === '' ? new Uint8Array() : decodeLine(line)
    if (bytes === null) return null
    pieces.push(bytes)
  }
  return null
}
