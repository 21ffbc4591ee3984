/** Licences of all packages that ship inside Linnet's own files, collected from what a build really includes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Notice {
  readonly name: string
  readonly version: string
  readonly license: string
  /** Source location, which some licences require. */
  readonly source: string | null
  readonly texts: readonly string[]
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly repository?: string | { readonly url?: string }
}

const HEAD = `Linnet is made with the work of the people below. What follows are the licences under which they give it.
Electron and Chromium bring theirs in files of their own beside the app.`

/** Reads a package's licence. @throws if it has none: it must not ship */
const readNotice = (directory: string): Notice => {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  ) as Manifest
  // pdf.js keeps the licences of third-party code in a separate folder.
  const folders = [directory, join(directory, 'wasm')].filter((folder) => existsSync(folder))
  const texts = folders.flatMap((folder) => {
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[._-]|$)/i.test(file))
    return files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  })
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no licence: it must not be shipped.`)
  const source = (typeof repository === 'string' ? repository : repository?.url) ?? null
  return { name, version, license: license ?? 'see below', source, texts }
}

/** The full text, one section per package, sorted by name. @param head opening text */
export const describeNotices = (directories: Iterable<string>, head = HEAD): string => {
  const notices = [...new Set(directories)].map(readNotice)
  const parts = new Map(
    notices.map((notice) => {
      const title = `${notice.name} ${notice.version} (${notice.license})`
      const source = notice.source === null ? [] : [`Source: ${notice.source.replace(/^git\+/, '')}`]
      return [title, [title, '='.repeat(title.length), ...source, ...notice.texts].join('\n\n')]
    }),
  )
  const sorted = [...parts].sort(([one], [other]) => one.localeCompare(other, 'en')).map(([, part]) => part)
  return `${[head, ...sorted].join('\n\n\n')}\n`
}
