/** Licences of all packages that ship inside Linnet's own files, collected from what a build really includes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly repository?: string | { readonly url?: string }
}

const HEAD = `Linnet is made with the work of the people below. What follows are the licences under which they give it.
Electron and Chromium bring theirs in files of their own beside the app.`

/** A package's title and its section. @throws if it has no licence: it must not ship */
const describeNotice = (directory: string): readonly [title: string, section: string] => {
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
  const title = `${name} ${version} (${license ?? 'see below'})`
  // Some licences require the location of the source.
  const url = typeof repository === 'string' ? repository : repository?.url
  const source = url === undefined ? [] : [`Source: ${url.replace(/^git\+/, '')}`]
  return [title, [title, '='.repeat(title.length), ...source, ...texts].join('\n\n')]
}

/** The full text, one section per package, sorted by name. @param head opening text */
export const describeNotices = (directories: Iterable<string>, head = HEAD): string => {
  const notices = [...new Map([...directories].map(describeNotice))]
  const sorted = notices.sort(([one], [other]) => one.localeCompare(other, 'en')).map(([, section]) => section)
  return `${[head, ...sorted].join('\n\n\n')}\n`
}
