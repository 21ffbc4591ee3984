import { execFile } from 'node:child_process'
import { lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { root } from '../project.mjs'
import type { LinuxApp, LinuxTarget } from './build-linux.ts'
import { findBeside, findInArchive, findInDesktopFile, findInFuses } from './contents.ts'
import { listFiles } from './list-files.ts'

const run = promisify(execFile)
/** The byte that marks an enabled fuse in the binary; the library doesn't export a constant for it. */
const FUSE_IS_ON = '1'.charCodeAt(0)

const unpack = async (target: LinuxTarget, file: string, folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  if (target === 'deb') await run('dpkg-deb', ['--extract', file, folder])
  else if (target === 'rpm')
    await run(
      'bash',
      ['-o', 'pipefail', '-c', 'rpm2cpio "$1" | cpio --extract --make-directories --quiet', 'bash', file],
      { cwd: folder },
    )
  else await run(file, ['--appimage-extract'], { cwd: folder })
}

/** Output of a third-party validator, or null if it has no complaints. */
const validate = async (command: string, args: readonly string[]): Promise<string | null> => {
  try {
    const { stdout, stderr } = await run(command, args)
    const said = `${stdout}${stderr}`
    return /: (?:hint|warning|error): /.test(said) ? said.trim() : null
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      return `${command} is not installed: it is to look at the package.`
    return thrown instanceof Error
      ? `${command}: ${'stdout' in thrown ? String(thrown.stdout) : thrown.message}`.trim()
      : command
  }
}

const findInSystem = async (target: LinuxTarget, top: string): Promise<readonly string[]> => {
  const files = await listFiles(top)
  const desktopFile = files.find((file) => file.endsWith('/applications/linnet.desktop') || file === 'linnet.desktop')
  const metainfo = files.find((file) => file.endsWith('.metainfo.xml'))
  const faults: (string | null)[] = []
  if (desktopFile === undefined) faults.push('There is no desktop file.')
  else {
    faults.push(await validate('desktop-file-validate', [join(top, desktopFile)]))
    faults.push(...findInDesktopFile(await readFile(join(top, desktopFile), 'utf8')))
  }
  // electron-builder can't add metadata to an AppImage, and software centres don't list AppImages.
  if (metainfo === undefined) faults.push(target === 'AppImage' ? null : 'There is no AppStream metadata.')
  else faults.push(await validate('appstreamcli', ['validate', '--no-net', join(top, metainfo)]))
  return faults.filter((fault) => fault !== null)
}

const findInModes = async (top: string): Promise<readonly string[]> => {
  const faults = (await listFiles(top)).map(async (file) => {
    const stats = await lstat(join(top, file))
    // A link's own mode is meaningless: it has the permissions of its target.
    return stats.isSymbolicLink() || (stats.mode & 0o6022) === 0
      ? null
      : `${file} may be written by others, or runs with the rights of its owner.`
  })
  return (await Promise.all(faults)).filter((fault) => fault !== null)
}

const readFuses = async (executable: string): Promise<Readonly<Record<string, boolean>>> => {
  const wire: object = await getCurrentFuseWire(executable)
  const states = Object.entries(wire as Readonly<Record<string, unknown>>).filter(([key]) => /^\d+$/.test(key))
  return Object.fromEntries(
    states.map(([key, state]) => [FuseV1Options[Number(key)] ?? key, Number(state) === FUSE_IS_ON]),
  )
}

/** Faults of the app itself, which is the same in every package. */
const findInApp = async (
  folder: string,
  electron: readonly string[],
  fuses: LinuxApp['fuses'],
): Promise<readonly string[]> => {
  const archive = join(folder, 'resources', 'app.asar')
  const files = listPackage(archive, { isPack: false })
    .map((file) => file.slice(1))
    .filter((file) => !('files' in statFile(archive, file)))
  return [
    ...findInArchive(files, (file) => extractFile(archive, file), root),
    ...findBeside(await listFiles(folder), electron, `linux-${process.arch}`),
    ...findInFuses({ ...fuses }, await readFuses(join(folder, 'linnet'))),
  ]
}

/** Opens a package and lists its faults. */
export const findInPackage = async (
  target: LinuxTarget,
  file: string,
  {
    electron,
    fuses,
    folder,
  }: { readonly electron: readonly string[]; readonly fuses: LinuxApp['fuses']; readonly folder: string },
): Promise<readonly string[]> => {
  const opened = join(folder, basename(file))
  await unpack(target, file, opened)
  const top = target === 'AppImage' ? join(opened, 'squashfs-root') : opened
  const app = target === 'AppImage' ? top : join(top, 'opt', 'Linnet')
  // An AppImage mixes the system's files with the app's own.
  const own =
    target === 'AppImage'
      ? [
          ...electron,
          ...(await listFiles(top)).filter((each) =>
            /^(?:usr\/|AppRun$|\.DirIcon$|linnet\.(?:desktop|png)$)/.test(each),
          ),
        ]
      : electron
  const faults = [
    ...(await findInApp(app, own, fuses)),
    ...(await findInSystem(target, top)),
    ...(await findInModes(top)),
  ]
  await rm(opened, { recursive: true })
  return faults
}
