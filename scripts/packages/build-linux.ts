/** Builds electron-builder's Linux packages for this machine's CPU from the local Electron. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, Platform, type AfterPackContext, type Configuration } from 'electron-builder'
import { drawIcons } from '../icons.ts'
import { root } from '../project.mjs'
import { fitAddon, type LocalElectron } from './local-electron.ts'

// electron-builder's temp-file manager adds an exit hook that exits with status 0, whatever `process.exitCode` says.
// Without the hook, each build still removes its own files.
process.env.TMP_DIR_MANAGER_ENSURE_REMOVED_ON_EXIT = 'false'

export type LinuxTarget = 'AppImage' | 'deb' | 'rpm'

export interface LinuxApp {
  /** The unpacked app, the same in every package. */
  readonly folder: string
  readonly fuses: NonNullable<Configuration['electronFuses']>
}

/** Placeholder: the repository contains no host name, so set one for a release. RFC 2606 reserves `.invalid`. */
const HOMEPAGE = 'https://linnet.invalid'

/** True if electron-builder couldn't download one of its helpers (fpm, the AppImage runtime), or rpmbuild is missing. */
const isOutOfReach = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|fetch failed|Need executable 'rpmbuild'/.test(
    `${'code' in thrown ? String(thrown.code) : ''} ${thrown.message}`,
  )

const buildTarget = (
  target: string,
  { folder, version }: LocalElectron,
  {
    config,
    ...options
  }: { readonly config: Configuration; readonly projectDir: string; readonly prepackaged?: string },
): Promise<string[]> =>
  build({
    targets: Platform.LINUX.createTarget([target]),
    publish: 'never',
    ...options,
    config: { electronDist: folder, electronVersion: version, extraMetadata: { homepage: HOMEPAGE }, ...config },
  })

/** Packs Linnet into `OUTPUT/linux-unpacked` from the existing `npm run build` output. */
export const buildLinuxApp = async (electron: LocalElectron, output: string): Promise<LinuxApp> => {
  await drawIcons(join(root, 'resources', 'icon.svg'), join(root, 'dist', 'icons'))
  let fuses: LinuxApp['fuses'] = {}
  const afterPack = async ({ appOutDir, packager }: AfterPackContext): Promise<void> => {
    fuses = packager.config.electronFuses ?? {}
    await fitAddon(appOutDir, electron)
  }
  await buildTarget('dir', electron, { projectDir: root, config: { directories: { output }, afterPack } })
  return { folder: join(output, 'linux-unpacked'), fuses }
}

/** Builds an empty app the same way, to measure Electron alone. */
export const buildEmptyApp = async (electron: LocalElectron, output: string): Promise<string> => {
  // Outside this repository: electron-builder would also pack the dependencies of the workspace around it.
  const projectDir = await mkdtemp(join(tmpdir(), 'linnet-empty-'))
  const manifest = { name: 'empty', productName: 'Empty', version: '1.0.0', main: 'main.cjs', description: 'Nothing.' }
  await writeFile(join(projectDir, 'package.json'), JSON.stringify({ ...manifest, author: 'Nobody', license: 'MIT' }))
  await writeFile(join(projectDir, 'main.cjs'), "new (require('electron').BrowserWindow)()\n")
  const config = { directories: { output }, appId: 'empty', npmRebuild: false }
  await buildTarget('dir', electron, { projectDir, config })
  await rm(projectDir, { recursive: true })
  return join(output, 'linux-unpacked')
}

/**
 * Makes one package of the app. If fpm can't be downloaded, `fpm.ts` makes the deb.
 * @returns the file, or null if a helper of another package can't be downloaded
 */
export const makePackage = async (
  target: LinuxTarget,
  app: LinuxApp,
  electron: LocalElectron,
  output: string,
): Promise<string | null> => {
  const make = async (): Promise<string> => {
    const options = { projectDir: root, prepackaged: app.folder, config: { directories: { output } } }
    const files = await buildTarget(target, electron, options)
    const file = files.find((each) => each.toLowerCase().endsWith(`.${target.toLowerCase()}`))
    if (file === undefined) throw new Error(`electron-builder produced no ${target}.`)
    return file
  }
  try {
    return await make()
  } catch (thrown) {
    if (!isOutOfReach(thrown)) throw thrown
    if (target !== 'deb') return null
  }
  process.env.CUSTOM_FPM_PATH = join(import.meta.dirname, 'fpm.ts')
  try {
    return await make()
  } finally {
    delete process.env.CUSTOM_FPM_PATH
  }
}
