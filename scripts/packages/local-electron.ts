/** The local Electron, prepared for packaging. */
import { cp, copyFile, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../project.mjs'
import { findElectron } from '../find-electron.mjs'

const PARTS_OF_NO_PACKAGE = ['version', join('resources', 'app'), join('resources', 'default_app.asar')]
const ADDON_FOLDER = join('node_modules', 'better-sqlite3')

export interface LocalElectron {
  readonly folder: string
  readonly version: string
  /** True if this is the version that Linnet ships. */
  readonly isShipped: boolean
}

/** Copies the local Electron into a folder, without its default app. @returns null if there is no Electron */
export const copyLocalElectron = async (folder: string): Promise<LocalElectron | null> => {
  const binary = findElectron()
  if (binary === null) return null
  const version = (await readFile(join(dirname(binary), 'version'), 'utf8')).trim().replace(/^v/, '')
  await cp(dirname(binary), folder, { recursive: true })
  for (const part of PARTS_OF_NO_PACKAGE) await rm(join(folder, part), { recursive: true, force: true })
  const shipped = JSON.parse(await readFile(join(root, 'node_modules', 'electron', 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return { folder, version, isShipped: version === shipped.version }
}

/**
 * Replaces the shipped addon, which an older Electron can't load, with one compiled locally for that Electron, if there
 * is one.
 */
export const fitAddon = async (appFolder: string, { isShipped }: LocalElectron): Promise<void> => {
  const compiled = join(root, ADDON_FOLDER, 'build', 'Release', 'better_sqlite3.node')
  if (isShipped || !existsSync(compiled)) return
  const unpacked = join(appFolder, 'resources', 'app.asar.unpacked', ADDON_FOLDER, 'prebuilds')
  await copyFile(compiled, join(unpacked, `linux-${process.arch}.node`))
}
