import { cp, link, mkdir, readdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from '../support/program.ts'

interface Start {
  readonly command: string
  readonly args: readonly string[]
}

/**
 * Lays out a folder with what Electron checks in a package: its name, and the app in its resources. @param folder to
 * create
 */
export const layPackagedApp = async (folder: string): Promise<Start> => {
  const binary = createRequire(import.meta.url)('electron') as string
  await mkdir(join(folder, 'resources'), { recursive: true })
  for (const entry of await readdir(dirname(binary), { withFileTypes: true })) {
    const from = join(dirname(binary), entry.name)
    if (entry.name === 'resources') continue
    const to = join(folder, entry.name === 'electron' ? 'linnet' : entry.name)
    // Electron derives its folder from its binary's real path.
    if (entry.isDirectory()) await symlink(from, to)
    else await link(from, to).catch(() => cp(from, to))
  }
  const app = join(folder, 'resources', 'app')
  await mkdir(app)
  await cp(join(root, 'package.json'), join(app, 'package.json'))
  await symlink(join(root, 'out'), join(app, 'out'))
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'))
  // The OS sandbox won't run as root.
  return { command: join(folder, 'linnet'), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
}
