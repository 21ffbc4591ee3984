import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCsv } from '../endpoints/csv.ts'

/** The project's folder when run from source; the build puts a copy next to its own modules. */
const resourceDirectory = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../resources/demo' : '../demo',
)

/** A text file of the demo. @param path relative to `resources/demo` */
export const readText = (path: string): string =>
  readFileSync(join(resourceDirectory, path), 'utf8').replaceAll('\r\n', '\n')

/** Rows of a CSV file by the key in the first column; cells by column name. */
export function readTable<Column extends string>(
  path: string,
  columns: readonly Column[],
): ReadonlyMap<string, Readonly<Record<Column, string>>> {
  const [head = [], ...rows] = parseCsv(readText(path))
  if (head.join() !== ['key', ...columns].join()) {
    throw new Error(`${path} does not begin with the columns key,${columns.join()}.`)
  }
  return new Map(
    rows.map(([key = '', ...cells]) => [
      key,
      Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>,
    ]),
  )
}

/** @throws Error for an unknown key */
export function requireRow<Row>(table: ReadonlyMap<string, Row>, key: string, kind: string): Row {
  const row = table.get(key)
  if (row === undefined) throw new Error(`The demo has no ${kind} called ${key}.`)
  return row
}
