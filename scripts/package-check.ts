/**
 * npm run package:check: builds the Linux packages from the local Electron, opens each and inspects its contents, then
 * installs the deb in a clean root and drives the app as a user would (docs/packages.md). `-- --complete` also fails
 * for steps that this machine can't run; `-- --sizes` only measures the app's size.
 */
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { onPath } from './find-chromium.mjs'
import { buildEmptyApp, buildLinuxApp, makePackage } from './packages/build-linux.ts'
import { findInInstalled, useInstalled } from './packages/clean-root.ts'
import { findInSize } from './packages/contents.ts'
import { listFiles, weigh } from './packages/list-files.ts'
import { copyLocalElectron } from './packages/local-electron.ts'
import { measurePackage } from './packages/measure.ts'
import { findInPackage } from './packages/open-package.ts'
import { root, print } from './project.mjs'

/** Programs that the check runs, and their Debian packages. */
const TOOLS = [
  ['dpkg-deb', 'dpkg'],
  ['desktop-file-validate', 'desktop-file-utils'],
  ['appstreamcli', 'appstream'],
  ['rpmbuild', 'rpm'],
  ['cpio', 'cpio'],
] as const
/** For the clean root, which only root can create. */
const ROOT_TOOLS = [['debootstrap', 'debootstrap debian-archive-keyring']] as const
const NO_ELECTRON =
  'There is no Electron on this machine. `node node_modules/electron/install.js` fetches it, or ELECTRON_OVERRIDE_DIST_PATH names its folder.'
const IS_ROOT = process.getuid?.() === 0

const { values: options } = parseArgs({
  options: { complete: { type: 'boolean', default: false }, sizes: { type: 'boolean', default: false } },
})
const skipped: string[] = []
const faults: string[] = []

const note = (name: string, found: readonly string[]): void => {
  faults.push(...found.map((fault) => `${name}: ${fault}`))
  print([`${found.length === 0 ? '✓' : '✗'} ${name}`, ...found].join('\n    '))
}

const checkPackages = async (): Promise<void> => {
  const folder = join(root, 'dist', 'check')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const electron = await copyLocalElectron(join(folder, 'electron'))
  if (electron === null) throw new Error(NO_ELECTRON)
  print(
    `Electron ${electron.version}${electron.isShipped ? '' : ', not the one that ships: its addon is compiled here'}`,
  )
  const app = await buildLinuxApp(electron, join(folder, 'linnet'))
  const empty = await buildEmptyApp(electron, join(folder, 'empty'))
  note('the size', findInSize(await weigh(app.folder), await weigh(empty)))

  const ofElectron = (await listFiles(empty)).filter((file) => file !== 'empty')
  let deb: string | null = null
  for (const target of ['deb', 'AppImage', 'rpm'] as const) {
    const file = await makePackage(target, app, electron, join(folder, 'linnet'))
    if (file === null) {
      skipped.push(`${target}: electron-builder could not fetch its helper`)
      continue
    }
    if (target === 'deb') deb = file
    const opened = { electron: ofElectron, fuses: app.fuses, folder: join(folder, 'opened') }
    note(basename(file), await findInPackage(target, file, opened))
  }

  if (deb === null) throw new Error('No deb was made.')
  if (!IS_ROOT) {
    skipped.push('the installed deb: only root can make a clean root')
    return
  }
  note('installed in a clean root', await findInInstalled(deb))
  const used = await useInstalled(deb, join(folder, 'pictures'))
  for (const line of used.said) print(`    ${line}`)
  note('used by an ordinary user, in the system’s sandbox', used.isWell ? [] : used.said.slice(-1))
}

const weighApp = async (): Promise<void> => {
  const sizes = await measurePackage()
  if (sizes === null) throw new Error(NO_ELECTRON)
  process.stdout.write(`${JSON.stringify(sizes)}\n`)
  note('the size', findInSize(sizes.linnet, sizes.empty))
}

const tools = options.sizes ? [] : [...TOOLS, ...(IS_ROOT ? ROOT_TOOLS : [])]
const missing = tools.filter(([program]) => onPath([program]) === undefined)
if (missing.length > 0) {
  print(`These programs are missing: ${missing.map(([program]) => program).join(', ')}. Install them first:\n`)
  print(`  sudo apt-get install ${missing.map(([, name]) => name).join(' ')}`)
  process.exit(1)
}
ensureBuilt()
await (options.sizes ? weighApp() : checkPackages())
for (const left of skipped) print(`Left to the workflow: ${left}.`)
if (options.complete) faults.push(...skipped)
print(faults.length === 0 ? 'All checks hold.' : `Faults: ${faults.length}.`)
process.exitCode = faults.length === 0 ? 0 : 1
