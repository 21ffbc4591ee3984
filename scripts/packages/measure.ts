import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../project.mjs'
import { buildEmptyApp, buildLinuxApp } from './build-linux.ts'
import { copyLocalElectron } from './local-electron.ts'
import { weigh } from './list-files.ts'

export interface PackageSizes {
  /** Total size of the installed app's files, in bytes. */
  readonly linnet: number
  readonly empty: number
  readonly ratio: number
}

/**
 * Measures Linnet and an empty app, built from the local Electron in seconds. @returns null without a local Electron
 */
export const measurePackage = async (folder = join(root, 'dist', 'measure')): Promise<PackageSizes | null> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    const electron = await copyLocalElectron(join(folder, 'electron'))
    if (electron === null) return null
    const linnet = await weigh((await buildLinuxApp(electron, join(folder, 'linnet'))).folder)
    const empty = await weigh(await buildEmptyApp(electron, join(folder, 'empty')))
    return { linnet, empty, ratio: linnet / empty }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
