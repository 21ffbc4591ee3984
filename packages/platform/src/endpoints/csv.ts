/** A cell and its terminator (RFC 4180): quoted, with doubled quotes inside, or plain. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** Rows of a CSV text without empty lines. Parsing stops at a malformed cell. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\ufeff/, '')
  const rows: string[][] = []
  let row: string[] = []
  cellPattern.lastIndex = 0
  while (cellPattern.lastIndex < source.length) {
    const match = cellPattern.exec(source)
    if (!match) break
    const [, quoted, plain = '', end] = match
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return (row.length > 0 ? [...rows, row] : rows).filter((cells) => cells.some((cell) => cell !== ''))
}
