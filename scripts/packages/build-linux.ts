/** Builds electron-builder's Linux packages for this machine's CPU from the local Electron. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, Platform, type AfterPackContext, type Configuration } from 'electron-builder'
import { drawIcons } from '../icons.ts'
import { root } from '../project.mjs'
import { keepDebOrder, buildDeb, parseFpmArguments, type FpmArguments } from './build-deb.ts'
import { fitAddon, type LocalElectron } from './local-electron.ts'

// electron-builder's temp-file manager adds an exit hook that exits with status 0, whatever `process.exitCode` says.
// Without the hook, each build still removes its own files.
process.env.TMP_DIR_MANAGER_ENSURE_REMOVED_ON_EXIT = 'false'

export type LinuxTarget = 'AppImage' | 'deb' | 'rpm'

export interface MadePackage {
  readonly target: LinuxTarget
  readonly file: string
  /** The helper that electron-builder couldn't get; null if it made the package itself. */
  readonly withoutHelper: string | null
}

/** A package that can't be built here. */
export interface LeftPackage {
  readonly target: LinuxTarget
  readonly helper: string
}

export interface LinuxApp {
  /** The unpacked app, the same in every package. */
  readonly folder: string
  readonly fuses: NonNullable<Configuration['electronFuses']>
  readonly relations: { readonly depends: readonly string[]; readonly recommends: readonly string[] }
}

/** Helpers that electron-builder downloads from its own releases. */
const HELPERS: Readonly<Record<LinuxTarget, string>> = {
  AppImage: 'the AppImage runtime and mksquashfs',
  deb: 'fpm',
  rpm: 'fpm and rpmbuild',
}

/** Placeholder: the repository contains no host name, so set one for a release. RFC 2606 reserves `.invalid`. */
const HOMEPAGE = 'https://linnet.invalid'

const isOutOfReach = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|fetch failed|Need executable 'rpmbuild'/.test(
    `${'code' in thrown ? String(thrown.code) : ''} ${thrown.message}`,
  )

const configure = (electron: LocalElectron, output: string, afterPack?: Configuration['afterPack']): Configuration => ({
  electronDist: electron.folder,
  electronVersion: electron.version,
  directories: { output },
  extraMetadata: { homepage: HOMEPAGE },
  ...(afterPack === undefined ? {} : { afterPack }),
})

const listOf = (value: readonly string[] | string | null | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])

const targetsOf = (names: readonly string[]) => Platform.LINUX.createTarget([...names])

/** Packs Linnet into `OUTPUT/linux-unpacked` from the existing `npm run build` output. */
export const buildLinuxApp = async (electron: LocalElectron, output: string): Promise<LinuxApp> => {
  await drawIcons(join(root, 'resources', 'icon.svg'), join(root, 'dist', 'icons'))
  const packed: LinuxApp[] = []
  const afterPack = async ({ appOutDir, packager }: AfterPackContext): Promise<void> => {
    const { electronFuses, deb } = packager.config
    const relations = { depends: listOf(deb?.depends), recommends: listOf(deb?.recommends) }
    packed.push({ folder: appOutDir, fuses: electronFuses ?? {}, relations })
    await fitAddon(appOutDir, electron)
  }
  await build({
    targets: targetsOf(['dir']),
    projectDir: root,
    publish: 'never',
    config: configure(electron, output, afterPack),
  })
  const [app] = packed
  if (app === undefined) throw new Error('electron-builder produced no app.')
  return app
}

/** Builds an empty app the same way, to measure Electron alone. */
export const buildEmptyApp = async (electron: LocalElectron, output: string): Promise<string> => {
  const source = join(output, 'source')
  await mkdir(source, { recursive: true })
  const manifest = { name: 'empty', productName: 'Empty', version: '1.0.0', main: 'main.cjs', description: 'Nothing.' }
  await writeFile(join(source, 'package.json'), JSON.stringify({ ...manifest, author: 'Nobody', license: 'MIT' }))
  await writeFile(join(source, 'main.cjs'), "new (require('electron').BrowserWindow)()\n")
  await build({
    targets: targetsOf(['dir']),
    projectDir: source,
    publish: 'never',
    config: { ...configure(electron, output), appId: 'empty', npmRebuild: false },
  })
  return join(output, 'linux-unpacked')
}

/** Makes one package of the app. If electron-builder can't make the deb, builds it from the arguments meant for fpm. */
export const makePackage = async (
  target: LinuxTarget,
  app: LinuxApp,
  electron: LocalElectron,
  output: string,
): Promise<MadePackage | LeftPackage> => {
  const orders: FpmArguments[] = []
  try {
    const files = await build({
      targets: targetsOf([target]),
      projectDir: root,
      publish: 'never',
      prepackaged: app.folder,
      config: configure(electron, output),
      // Called before the helper runs. Returning true would skip the helper.
      effectiveOptionComputed: async (told: unknown) => {
        const [args] = Array.isArray(told) ? (told as readonly (readonly string[])[]) : []
        if (args !== undefined) orders.push(await keepDebOrder(parseFpmArguments(args), join(output, 'told')))
        return false
      },
    })
    const file = files.find((each) => each.toLowerCase().endsWith(`.${target.toLowerCase()}`))
    if (file === undefined) throw new Error(`electron-builder produced no ${target}.`)
    return { target, file, withoutHelper: null }
  } catch (thrown) {
    if (!isOutOfReach(thrown)) throw thrown
    const helper = HELPERS[target]
    const [order] = orders
    if (target !== 'deb' || order === undefined) return { target, helper }
    return { target, file: await buildDeb(order, app.relations, join(output, 'deb-tree')), withoutHelper: helper }
  }
}
