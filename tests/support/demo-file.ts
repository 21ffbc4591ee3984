import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT, startProgram } from './program.ts'

/** Variable with the folder of files created once per test run and shared by all its processes. */
const SHARED = 'LINNET_TEST_SHARED'

/** Creates that folder, unless the process that started the tests already has. @returns a function that removes it */
export const shareFolder = (): (() => void) => {
  if (process.env[SHARED] !== undefined) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'linnet-shared-'))
  process.env[SHARED] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

const LOOK_EVERY_MS = 100

/** An item in the shared folder, created by its first caller. @param make creates it at the given path */
export const madeOnceForAll = async (name: string, make: (path: string) => Promise<void>): Promise<string> => {
  process.once('exit', shareFolder())
  const path = join(process.env[SHARED] ?? '', name)
  for (let isMaker = false; !isMaker;) {
    if (existsSync(path)) return path
    isMaker = mkdirSync(`${path}.making`, { recursive: true }) !== undefined
    if (!isMaker) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  try {
    await make(join(`${path}.making`, name))
  } catch (thrown) {
    // Release the lock, so that the next caller tries again.
    rmSync(`${path}.making`, { recursive: true, force: true })
    throw thrown
  }
  renameSync(join(`${path}.making`, name), path)
  return path
}

let made: Promise<string> | null = null

/** A file of the demo mailbox, to copy: creating it takes longer than many tests. */
export const demoFile = (): Promise<string> =>
  (made ??= madeOnceForAll('demo.sqlite', async (path) => {
    const args = ['--port', '0', '--smtp-port', '0', '--dataset', 'demo', '--data', path]
    const program = await startProgram(BUILT.service, args)
    await program.stop()
  }))
