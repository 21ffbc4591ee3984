import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the project while the sources run; a build copies the folder beside its entries, below which its chunks are. */
const folders = [
  ...(import.meta.filename.endsWith('.ts') ? ['../../../resources/service-page'] : []),
  'service-page',
  '../service-page',
]

const read = (name: string): string => {
  const file = folders.map((folder) => join(import.meta.dirname, folder, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`The page's ${name} is not beside the service.`)
  return readFileSync(file, 'utf8')
}

let whole: string | null = null

/** The page with its style and its script in it, and `{{name}}` where a value belongs. */
export function pageTemplate(): string {
  whole ??= read('page.html').replace(/\/\* (page\.(?:css|js)) \*\//g, (_, name: string) => read(name))
  return whole
}
