/** One cell and what ends it (RFC 4180): quoted, with doubled quotes inside, or plain. */
const cellPattern = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** The rows of a CSV text; empty lines are left out. What follows a cell that breaks the format is not read. */
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
