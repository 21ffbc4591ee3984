/** Builds a deb with dpkg's own tool from electron-builder's fpm arguments, for when fpm can't be downloaded. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listFiles, weigh } from './open-package.ts'

const run = promisify(execFile)

/** electron-builder's arguments for fpm: switches, each with a value, and `FROM=TO` file mappings. */
export interface FpmArguments {
  readonly switches: ReadonlyMap<string, string>
  readonly places: readonly (readonly [from: string, to: string])[]
}

/** @throws if the arguments have another form: a switch without a value would be misread as half of a pair */
export const parseFpmArguments = (args: readonly string[]): FpmArguments => {
  const switches = new Map<string, string>()
  const places: [string, string][] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const value = args[at + 1]
    const [, from = '', to = ''] = /^([^=]+)=(\/.*)$/.exec(arg) ?? []
    if (arg.startsWith('-')) {
      if (value === undefined) throw new Error(`The fpm option ${arg} has no value.`)
      switches.set(arg, value)
      at += 1
    } else if (from === '') throw new Error(`Unknown fpm argument: "${arg}".`)
    else places.push([from, to])
  }
  return { switches, places }
}

/** Copies the files that electron-builder deletes when it finishes. */
export const keepDebOrder = async ({ switches, places }: FpmArguments, folder: string): Promise<FpmArguments> => {
  await mkdir(folder, { recursive: true })
  const keep = async (file: string): Promise<string> => {
    if (!(await stat(file)).isFile()) return file
    const kept = join(folder, `${createHash('sha256').update(file).digest('hex').slice(0, 8)}-${basename(file)}`)
    await copyFile(file, kept)
    return kept
  }
  const kept = new Map(switches)
  for (const name of ['--after-install', '--after-remove']) {
    const file = switches.get(name)
    if (file !== undefined) kept.set(name, await keep(file))
  }
  return {
    switches: kept,
    places: await Promise.all(places.map(async ([from, to]) => [await keep(from), to] as const)),
  }
}

interface Relations {
  readonly depends: readonly string[]
  readonly recommends: readonly string[]
}

/** Fields of Debian's control file. Continuation lines of multi-line text start with a space. */
const describeControl = ({ switches }: FpmArguments, { depends, recommends }: Relations, bytes: number): string => {
  const said = (name: string): string => switches.get(name)?.trim() ?? ''
  const [first = '', ...more] = said('--description').split('\n')
  const fields: readonly (readonly [string, string])[] = [
    ['Package', said('--name')],
    ['Version', said('--version')],
    ['Architecture', said('--architecture')],
    ['Maintainer', said('--maintainer')],
    ['Installed-Size', String(Math.ceil(bytes / 1024))],
    ['Depends', depends.join(', ')],
    ['Recommends', recommends.join(', ')],
    ['Section', said('--category')],
    ['Priority', said('--deb-priority')],
    ['Homepage', said('--url')],
    ['Description', [first, ...more.map((line) => ` ${line.trim() === '' ? '.' : line.trim()}`)].join('\n')],
  ]
  return fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

/** Writes the file named by `--package`, with contents owned by root. @param folder for the tree to pack */
export const buildDeb = async (order: FpmArguments, relations: Relations, folder: string): Promise<string> => {
  const file = order.switches.get('--package')
  if (file === undefined) throw new Error('The fpm arguments name no output file.')
  await rm(folder, { recursive: true, force: true })
  for (const [from, to] of order.places) {
    await mkdir(join(folder, dirname(to)), { recursive: true })
    await cp(from, join(folder, to), { recursive: true })
  }
  const laid = await listFiles(folder)
  const bytes = await weigh(folder)
  const control = join(folder, 'DEBIAN')
  await mkdir(control)
  await writeFile(join(control, 'control'), describeControl(order, relations, bytes))
  const sums: string[] = []
  for (const path of laid) {
    sums.push(
      `${createHash('md5')
        .update(await readFile(join(folder, path)))
        .digest('hex')}  ${path}\n`,
    )
  }
  await writeFile(join(control, 'md5sums'), sums.join(''))
  for (const [name, script] of [
    ['--after-install', 'postinst'],
    ['--after-remove', 'postrm'],
  ] as const) {
    const from = order.switches.get(name)
    if (from === undefined) continue
    await copyFile(from, join(control, script))
    await chmod(join(control, script), 0o755)
  }
  await run('chmod', ['-R', 'u+rwX,go+rX,go-w', folder])
  await run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', folder, file])
  await rm(folder, { recursive: true })
  return file
}
