import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT, startProgram } from './program.ts'

/** Names the folder of what is made once for all tests of a run, in whichever process they are. */
const SHARED = 'LINNET_TEST_SHARED'

/**
 * Makes that folder, where whoever started the tests has not.
 * @returns removes it
 */
export const shareFolder = (): (() => void) => {
  if (process.env[SHARED] !== undefined) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'linnet-shared-'))
  process.env[SHARED] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

const LOOK_EVERY_MS = 100

/**
 * Something under this name in the shared folder, which whoever asks for it first makes.
 * @param make makes it under the name that it is given
 */
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
    // Nobody waits for what will not come: the next one tries again.
    rmSync(`${path}.making`, { recursive: true, force: true })
    throw thrown
  }
  renameSync(join(`${path}.making`, name), path)
  return path
}

let made: Promise<string> | null = null

/** A file of the demo mailbox, to be copied: making it takes longer than many a test. */
export const demoFile = (): Promise<string> =>
  (made ??= madeOnceForAll('demo.sqlite', async (path) => {
    const args = ['--port', '0', '--smtp-port', '0', '--dataset', 'demo', '--data', path]
    const program = await startProgram(BUILT.service, args)
    await program.stop()
  }))
