import { ensureBuilt } from '../../scripts/build.mjs'
import { COMPILED } from './compiled.ts'
import { shareFolder } from './demo-file.ts'

/**
 * Vitest's global setup for tests that start programs: they start the build of what the sources are now.
 * @returns ends it
 */
const setUp = async (): Promise<() => void> => {
  await ensureBuilt()
  // Each test starts processes and threads of the same files.
  Object.assign(process.env, COMPILED)
  return shareFolder()
}

export default setUp
