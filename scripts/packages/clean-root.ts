/**
 * A separate Debian with only the deb's dependencies, in which the deb is installed and used as a user would. Created
 * once in the cache folder; each use adds a temporary overlay.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../project.mjs'
import { listFiles } from './list-files.ts'

const run = promisify(execFile)

const SUITE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'
/**
 * Packages for driving the app: a display, simulated input and screenshots. Not installed where the deb's own
 * dependencies are tested.
 */
const TOOLS =
  `xvfb openbox xdotool xterm imagemagick fonts-dejavu-core iproute2 xdg-utils desktop-file-utils dbus dbus-x11
at-spi2-core gir1.2-atspi-2.0 python3-gi python3-dbus`.split(/\s/)
const APP = '/opt/Linnet'

/** Creates a folder completely or not at all. */
const makeOnce = async (folder: string, make: (folder: string) => Promise<void>): Promise<string> => {
  if (existsSync(folder)) return folder
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

/** Debian plus the deb's dependencies (`bare`), and the same plus a typical desktop (`desk`). */
const prepareRoots = async (deb: string): Promise<Readonly<Record<'bare' | 'desk', string>>> => {
  const { stdout } = await run('dpkg-deb', ['--field', deb, 'Depends'])
  const depends = stdout.trim()
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'linnet-clean-root')
  await mkdir(cache, { recursive: true })
  const base = await makeOnce(join(cache, SUITE), async (folder) => {
    await run('debootstrap', ['--variant=minbase', SUITE, folder, MIRROR], { maxBuffer: 64 * 1024 * 1024 })
    // Keeps packages from starting services on installation.
    await writeFile(join(folder, 'usr', 'sbin', 'policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
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

/**
 * Runs `use` in a temporary overlay of a root, with the deb installed.
 * @throws if the deb can't be installed
 */
const inLayer = async <T>(below: string, deb: string, use: (folder: string) => Promise<T>): Promise<T> => {
  const layer = await mkdtemp(join(tmpdir(), 'linnet-root-'))
  const [upper, work, folder] = [join(layer, 'upper'), join(layer, 'work'), join(layer, 'root')] as const
  for (const each of [upper, work, folder]) await mkdir(each)
  await run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${below},upperdir=${upper},workdir=${work}`, folder])
  try {
    await cp(deb, join(folder, 'linnet.deb'))
    await inRoot(folder, 'dpkg', '--install', '/linnet.deb')
    return await use(folder)
  } finally {
    await run('umount', [folder])
    await rm(layer, { recursive: true, force: true })
  }
}

/** Libraries that the deb's programs load but its dependencies don't provide. */
const findMissingLibraries = async (folder: string): Promise<readonly string[]> => {
  const programs = (await listFiles(join(folder, APP))).filter((file) =>
    /(?:^|\/)(?:linnet|chrome_crashpad_handler|chrome-sandbox|.*\.so(?:\.\d+)*|.*\.node)$/.test(file),
  )
  const missing = new Set<string>()
  for (const program of programs) {
    const { stdout } = await inRoot(folder, 'ldd', join(APP, program))
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
export const findInInstalled = async (deb: string): Promise<readonly string[]> =>
  inLayer((await prepareRoots(deb)).bare, deb, async (folder) => [
    ...(await findMissingLibraries(folder)),
    ...(await findInRights(folder)),
  ])

/**
 * Drives the installed app as an ordinary user: opens the demo, reads, shares, quits, and so on
 * (tests/package/drive.py).
 * @param pictures folder for screenshots
 * @returns a line per step; the last one says what went wrong unless `isWell`
 */
export const useInstalled = async (
  deb: string,
  pictures: string,
): Promise<{ readonly said: readonly string[]; readonly isWell: boolean }> =>
  inLayer((await prepareRoots(deb)).desk, deb, async (folder) => {
    const from = join(root, 'tests', 'package')
    await cp(from, join(folder, 'use'), { recursive: true })
    const enter = ['--mount', '--net', '--pid', '--uts', '--fork', '--kill-child', join(from, 'enter.sh'), folder]
    const { status, stdout, stderr } = spawnSync('unshare', [...enter, 'sh', '/use/use.sh'], {
      encoding: 'utf8',
      timeout: 900_000,
    })
    await cp(join(folder, 'pictures'), pictures, { recursive: true }).catch(() => undefined)
    return { said: (stdout.trim() === '' ? stderr : stdout).trim().split('\n'), isWell: status === 0 }
  })
