/**
 * A separate Debian with only the deb's dependencies, in which the deb is installed and used as a user would. Created
 * once in the cache folder; each use adds a temporary overlay.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../project.mjs'

const run = promisify(execFile)

const SUITE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'
/**
 * Packages for driving the app: a display, simulated input and screenshots. Not installed where the deb's own
 * dependencies are tested.
 */
const TOOLS = [
  ...[
    'xvfb',
    'openbox',
    'xdotool',
    'xterm',
    'imagemagick',
    'fonts-dejavu-core',
    'iproute2',
    'xdg-utils',
    'desktop-file-utils',
  ],
  ...['dbus', 'dbus-x11', 'at-spi2-core', 'gir1.2-atspi-2.0', 'python3-gi', 'python3-dbus'],
]
const APP = '/opt/Linnet'

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Creates a folder completely or not at all. */
const makeOnce = async (folder: string, make: (folder: string) => Promise<void>): Promise<string> => {
  if (await exists(folder)) return folder
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  await make(part)
  await rename(part, folder)
  return folder
}

const inRoot = (folder: string, ...command: readonly string[]) =>
  run('chroot', [folder, ...command], {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })

const hashOf = (words: readonly string[]): string =>
  createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 12)

interface Roots {
  /** Debian plus the deb's dependencies. */
  readonly bare: string
  /** The same plus a typical desktop. */
  readonly desk: string
}

const prepareRoots = async (deb: string): Promise<Roots> => {
  const { stdout } = await run('dpkg-deb', ['--field', deb, 'Depends'])
  const depends = stdout.trim()
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'linnet-clean-root')
  await mkdir(cache, { recursive: true })
  const base = await makeOnce(join(cache, SUITE), async (folder) => {
    await run('debootstrap', ['--variant=minbase', SUITE, folder, MIRROR], { maxBuffer: 64 * 1024 * 1024 })
    // Keeps packages from starting services on installation.
    await writeFile(join(folder, 'usr', 'sbin', 'policy-rc.d'), '#!/bin/sh\nexit 101\n')
    await chmod(join(folder, 'usr', 'sbin', 'policy-rc.d'), 0o755)
  })
  const bare = await makeOnce(join(cache, `${SUITE}-${hashOf([depends])}`), async (folder) => {
    await run('cp', ['--archive', base, folder])
    await inRoot(folder, 'apt-get', 'update')
    await inRoot(folder, 'apt-get', 'satisfy', '--yes', '--no-install-recommends', depends)
  })
  const desk = await makeOnce(join(cache, `${SUITE}-${hashOf([depends, ...TOOLS])}`), async (folder) => {
    await run('cp', ['--archive', bare, folder])
    await inRoot(folder, 'apt-get', 'install', '--yes', '--no-install-recommends', ...TOOLS)
  })
  return { bare, desk }
}

/** Runs `use` in a temporary overlay of a root, with the deb file copied in. */
const inLayer = async <T>(below: string, deb: string, use: (folder: string) => Promise<T>): Promise<T> => {
  const layer = await mkdtemp(join(tmpdir(), 'linnet-root-'))
  const [upper, work, folder] = [join(layer, 'upper'), join(layer, 'work'), join(layer, 'root')] as const
  for (const each of [upper, work, folder]) await mkdir(each)
  await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${below},upperdir=${upper},workdir=${work}`, folder])
  try {
    await cp(deb, join(folder, 'linnet.deb'))
    return await use(folder)
  } finally {
    await run('umount', [folder])
    await rm(layer, { recursive: true, force: true })
  }
}

const install = async (folder: string): Promise<readonly string[]> => {
  try {
    await inRoot(folder, 'dpkg', '--install', '/linnet.deb')
    return []
  } catch (thrown) {
    return [`The deb cannot be installed: ${thrown instanceof Error ? thrown.message : ''}`]
  }
}

/** Libraries that the deb's programs load but its dependencies don't provide. */
const findMissingLibraries = async (folder: string): Promise<readonly string[]> => {
  const files = await readdir(join(folder, APP), { recursive: true, withFileTypes: true })
  const programs = files
    .filter(
      (entry) =>
        entry.isFile() &&
        /^(?:linnet|chrome_crashpad_handler|chrome-sandbox|.*\.so(?:\.\d+)*|.*\.node)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
  if (programs.length === 0) return ['The deb has no programs.']
  const missing = new Set<string>()
  for (const program of programs) {
    const { stdout } = await inRoot(folder, 'ldd', program)
    for (const [, library = ''] of stdout.matchAll(/^\s*(\S+) => not found$/gm)) missing.add(library)
  }
  return [...missing].map((library) => `${library} is loaded, and nothing that the deb depends on brings it.`)
}

/** Checks that the sandbox helper is setuid root where users can't create namespaces. */
const findInRights = async (folder: string): Promise<readonly string[]> => {
  const { mode, uid } = await stat(join(folder, APP, 'chrome-sandbox'))
  const hasNamespaces = await inRoot(folder, 'unshare', '--user', 'true').then(
    () => true,
    () => false,
  )
  const rights = (mode & 0o7777).toString(8)
  return uid === 0 && rights === (hasNamespaces ? '755' : '4755') ? [] : [`chrome-sandbox has the rights ${rights}.`]
}

/** Lists problems of the deb on a system that has only its dependencies. */
export const findInInstalled = async (deb: string): Promise<readonly string[]> => {
  const { bare } = await prepareRoots(deb)
  return inLayer(bare, deb, async (folder) => {
    const refused = await install(folder)
    if (refused.length > 0) return refused
    return [...(await findMissingLibraries(folder)), ...(await findInRights(folder))]
  })
}

/**
 * Drives the installed app as an ordinary user: opens the demo, reads, shares, quits, and so on
 * (tests/package/drive.py).
 * @param pictures folder for screenshots
 */
export const useInstalled = async (
  deb: string,
  pictures: string,
): Promise<{ readonly said: readonly string[]; readonly faults: readonly string[] }> => {
  const { desk } = await prepareRoots(deb)
  const from = join(root, 'tests', 'package')
  return inLayer(desk, deb, async (folder) => {
    const refused = await install(folder)
    if (refused.length > 0) return { said: [], faults: refused }
    await cp(from, join(folder, 'use'), { recursive: true })
    const enter = ['--mount', '--net', '--pid', '--uts', '--fork', '--kill-child', join(from, 'enter.sh'), folder]
    const ended = await run('unshare', [...enter, 'sh', '/use/use.sh'], { timeout: 900_000 }).then(
      ({ stdout }) => ({ stdout, isWell: true }),
      (thrown: unknown) => {
        const { stdout = '', message } = thrown as Error & { readonly stdout?: string }
        return { stdout: stdout.trim() === '' ? message : stdout, isWell: false }
      },
    )
    await mkdir(pictures, { recursive: true })
    await cp(join(folder, 'pictures'), pictures, { recursive: true }).catch(() => undefined)
    const said = ended.stdout.trim().split('\n')
    return ended.isWell ? { said, faults: [] } : { said: said.slice(0, -1), faults: [said.at(-1) ?? ''] }
  })
}
