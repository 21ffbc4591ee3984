/** electron-builder's Linux packages of this machine's kind of processor, from the Electron that is here. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, Platform, type AfterPackContext, type Configuration } from 'electron-builder'
import { drawIcons } from '../icons.ts'
import { root } from '../project.mjs'
import { keepDebOrder, layDeb, readDebOrder, type DebOrder } from './lay-deb.ts'
import { fitAddon, type LocalElectron } from './local-electron.ts'

// electron-builder's temporary files bring an exit hook that ends the process with status 0, whatever `process.exitCode` says.
// Without the hook each build still removes its own files.
process.env.TMP_DIR_MANAGER_ENSURE_REMOVED_ON_EXIT = 'false'

export type LinuxTarget = 'AppImage' | 'deb' | 'rpm'

/** A package that was made. */
export interface MadePackage {
  readonly target: LinuxTarget
  readonly file: string
  /** Null where electron-builder made it; else which of its helpers was missing. */
  readonly withoutHelper: string | null
}

/** A package that cannot be made here. */
export interface LeftPackage {
  readonly target: LinuxTarget
  readonly helper: string
}

export interface LinuxApp {
  /** The app as it is in every package. */
  readonly folder: string
  readonly fuses: NonNullable<Configuration['electronFuses']>
  /** What the deb needs of other packages. */
  readonly relations: { readonly depends: readonly string[]; readonly recommends: readonly string[] }
}

/** What electron-builder fetches from its own releases to make a package. */
const HELPERS: Readonly<Record<LinuxTarget, string>> = {
  AppImage: 'the AppImage runtime and mksquashfs',
  deb: 'fpm',
  rpm: 'fpm and rpmbuild',
}

/** No name of a host is in the repository: whoever releases gives it. RFC 2606 keeps this one free. */
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

/** Linnet as it is in a package, in `OUTPUT/linux-unpacked`. What `npm run build` made is what is taken. */
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
  if (app === undefined) throw new Error('electron-builder ended without an app.')
  return app
}

/** An app that does nothing, built in the same way: what Electron itself weighs. */
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

/** One package of the app; of a deb that electron-builder cannot make, one that is made of what it asked for. */
export const makePackage = async (
  target: LinuxTarget,
  app: LinuxApp,
  electron: LocalElectron,
  output: string,
): Promise<MadePackage | LeftPackage> => {
  const orders: DebOrder[] = []
  try {
    const files = await build({
      targets: targetsOf([target]),
      projectDir: root,
      publish: 'never',
      prepackaged: app.folder,
      config: configure(electron, output),
      // Told before the helper is called; true would be that it is not to be.
      effectiveOptionComputed: async (told: unknown) => {
        const [args] = Array.isArray(told) ? (told as readonly (readonly string[])[]) : []
        if (args !== undefined) orders.push(await keepDebOrder(readDebOrder(args), join(output, 'told')))
        return false
      },
    })
    const file = files.find((each) => each.toLowerCase().endsWith(`.${target.toLowerCase()}`))
    if (file === undefined) throw new Error(`electron-builder ended without the ${target}.`)
    return { target, file, withoutHelper: null }
  } catch (thrown) {
    if (!isOutOfReach(thrown)) throw thrown
    const helper = HELPERS[target]
    const [order] = orders
    if (target !== 'deb' || order === undefined) return { target, helper }
    return { target, file: await layDeb(order, app.relations, join(output, 'deb-tree')), withoutHelper: helper }
  }
}
