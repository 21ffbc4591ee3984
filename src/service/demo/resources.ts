import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCsv } from '../endpoints/csv.ts'

/** In the project while the sources run; the build copies the folder beside its own modules. */
const folder = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../../resources/demo' : '../demo')

/** A text file of the demo. @param path from `resources/demo` */
export const readText = (path: string): string => readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')

/** The rows of a CSV file by the key in their first column, each cell by the name of its column. */
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

/** A row of such a table. @throws Error where nothing has the key */
export function rowOf<Row>(table: ReadonlyMap<string, Row>, key: string, kind: string): Row {
  const row = table.get(key)
  if (row === undefined) throw new Error(`The demo has no ${kind} called ${key}.`)
  return row
}
