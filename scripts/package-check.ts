/**
 * npm run package:check: builds the Linux packages from the local Electron, opens each and inspects its contents, then
 * installs the deb in a clean root and drives the app as a user would (docs/packages.md). `-- --complete` also fails
 * for steps that this machine can't run; `-- --sizes` only measures the app's size.
 */
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { onPath } from './find-chromium.mjs'
import { buildEmptyApp, buildLinuxApp, makePackage, type LinuxTarget } from './packages/build-linux.ts'
import { findInInstalled, useInstalled } from './packages/clean-root.ts'
import { findInSize } from './packages/contents.ts'
import { buildDeb } from './packages/build-deb.ts'
import { copyLocalElectron } from './packages/local-electron.ts'
import { measurePackage } from './packages/measure.ts'
import { findInPackage, listFiles, weigh } from './packages/open-package.ts'
import { describeMissingTools } from './packages/required-tools.ts'
import { root, print } from './project.mjs'

const TARGETS: readonly LinuxTarget[] = ['deb', 'AppImage', 'rpm']
const NO_ELECTRON =
  'There is no Electron on this machine. `node node_modules/electron/install.js` fetches it, or ELECTRON_OVERRIDE_DIST_PATH names its folder.'

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const IS_ROOT = process.getuid?.() === 0

const { values: options } = parseArgs({
  options: { complete: { type: 'boolean', default: false }, sizes: { type: 'boolean', default: false } },
})
const isDone: string[] = []
const isLeft: string[] = []
const faults: string[] = []

const note = (what: string, found: readonly string[]): void => {
  faults.push(...found.map((fault) => `${what}: ${fault}`))
  print(found.length === 0 ? `✓ ${what}` : `✗ ${what}\n${found.map((fault) => `    ${fault}`).join('\n')}`)
  if (found.length === 0) isDone.push(what)
}

const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const began = performance.now()
  const result = await work()
  print(`  ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}

const checkPackages = async (): Promise<void> => {
  const folder = join(root, 'dist', 'check')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const electron = await copyLocalElectron(join(folder, 'electron'))
  if (electron === null) {
    note('Electron', [NO_ELECTRON])
    return
  }
  print(
    `Electron ${electron.version}${electron.isShipped ? '' : ', not the one that ships: its addon is compiled here'}`,
  )
  const app = await step('Linnet', () => buildLinuxApp(electron, join(folder, 'linnet')))
  const empty = await step('an empty app', () => buildEmptyApp(electron, join(folder, 'empty')))
  const ofElectron = (await listFiles(empty)).filter((file) => file !== 'empty')

  const [weight, ofEmpty] = [await weigh(app.folder), await weigh(empty)]
  const installed = `installed: ${inMegabytes(weight)}, ${(weight / ofEmpty).toFixed(3)} × an empty app`
  note(
    installed,
    [findInSize('Linnet', weight, ofEmpty)].filter((fault) => fault !== null),
  )

  let deb: string | null = null
  for (const target of TARGETS) {
    const made = await step(target, () => makePackage(target, app, electron, join(folder, 'linnet')))
    if ('helper' in made) {
      isLeft.push(`${target}: electron-builder fetches ${made.helper}, which is out of reach`)
      print(`– ${target}: left to the workflow, as ${made.helper} cannot be fetched here`)
      continue
    }
    if (made.withoutHelper !== null)
      print(`  ${made.withoutHelper} cannot be fetched: dpkg-deb made it of what fpm was to be told`)
    const opened = { electron: ofElectron, fuses: app.fuses, folder: join(folder, 'opened') }
    const { size } = await stat(made.file)
    note(`${basename(made.file)} (${inMegabytes(size)})`, await findInPackage(target, made.file, opened))
    if (target !== 'deb') continue
    deb = made.file
    if (made.withoutHelper === null) continue
    // Packed the same way, so the sizes are comparable.
    const order = {
      switches: new Map([
        ['--package', join(folder, 'empty.deb')],
        ['--name', 'empty'],
        ['--version', '1'],
        ['--architecture', process.arch === 'x64' ? 'amd64' : 'arm64'],
        ['--maintainer', 'Nobody'],
        ['--description', 'Nothing'],
      ]),
      places: [[empty, '/opt/Empty'] as const],
    }
    const bare = await step('a deb of the empty app', () =>
      buildDeb(order, { depends: [], recommends: [] }, join(folder, 'empty-tree')),
    )
    const bound = (await stat(bare)).size
    note(
      `the deb is ${(size / bound).toFixed(3)} × an empty app's`,
      [findInSize('The deb', size, bound)].filter((fault) => fault !== null),
    )
  }

  if (deb === null) {
    note('the installed deb', ['No deb was made.'])
    return
  }
  if (!IS_ROOT) {
    isLeft.push('the installed deb: only root can make a clean root')
    return
  }
  const file = deb
  note('installed in a clean root', await step('installing', () => findInInstalled(file)))
  const used = await step('using', () => useInstalled(file, join(folder, 'pictures')))
  for (const line of used.said) print(`    ${line}`)
  note('used by an ordinary user, in the system’s sandbox', used.faults)
}

const weighApp = async (): Promise<void> => {
  const sizes = await measurePackage()
  if (sizes === null) throw new Error(NO_ELECTRON)
  process.stdout.write(`${JSON.stringify(sizes)}\n`)
  const fault = findInSize('Linnet', sizes.linnet, sizes.empty)
  note('size', fault === null ? [] : [fault])
}

const missing = options.sizes ? null : describeMissingTools((program) => onPath([program]) !== undefined, IS_ROOT)
if (missing !== null) {
  print(missing)
  process.exit(1)
}
ensureBuilt()
await (options.sizes ? weighApp() : checkPackages())
if (options.complete) faults.push(...isLeft)
for (const left of isLeft) print(`Left to the workflow: ${left}.`)
print(faults.length === 0 ? `All of ${isDone.length} checks hold.` : `Faults: ${faults.length}.`)
process.exitCode = faults.length === 0 ? 0 : 1
