import { ensureBuilt } from '../../scripts/build.mjs'
import { shareFolder } from './demo-file.ts'

/**
 * Vitest's global setup for tests that start programs: they start the build of what the sources are now.
 * @returns ends it
 */
const setUp = async (): Promise<() => void> => {
  await ensureBuilt()
  return shareFolder()
}

export default setUp
