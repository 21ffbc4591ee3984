/** The licences of everything that ships inside Linnet's own files, gathered from what a build really took in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Notice {
  readonly name: string
  readonly version: string
  readonly license: string
  /** Where its source is: some licences want it told. */
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

/** What a package says of its licence. @throws where it says nothing: it must not ship */
const readNotice = (directory: string): Notice => {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  ) as Manifest
  // pdf.js has those of others, of whose work it is made in part, in a folder of their own.
  const folders = [directory, join(directory, 'wasm')].filter((folder) => existsSync(folder))
  const texts = folders.flatMap((folder) => {
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[._-]|$)/i.test(file))
    return files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  })
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no licence: it must not be shipped.`)
  const source = (typeof repository === 'string' ? repository : repository?.url) ?? null
  return { name, version, license: license ?? 'see below', source, texts }
}

/** The whole text, one part a package, by name. @param head what it begins with */
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
