import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
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

const make = async (): Promise<string> => {
  process.once('exit', shareFolder())
  const folder = process.env[SHARED] ?? ''
  const file = join(folder, 'demo.sqlite')
  if (existsSync(file)) return file
  // Whoever makes it at the same time puts the same there.
  const own = join(mkdtempSync(join(folder, 'making-')), 'demo.sqlite')
  const args = ['--port', '0', '--smtp-port', '0', '--dataset', 'demo', '--data', own]
  const program = await startProgram(BUILT.service, args)
  await program.stop()
  renameSync(own, file)
  return file
}

let made: Promise<string> | null = null

/** A file of the demo mailbox, to be copied: making it takes longer than many a test. */
export const demoFile = (): Promise<string> => (made ??= make())
