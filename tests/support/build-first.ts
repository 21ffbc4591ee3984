import { ensureBuilt } from '../../scripts/build.mjs'
import { COMPILED } from './compiled.ts'
import { shareFolder } from './demo-file.ts'

/** Vitest global setup for tests that start programs: builds the current sources. @returns the teardown */
const setUp = (): (() => void) => {
  ensureBuilt()
  // Every test starts processes and threads from the same files.
  Object.assign(process.env, COMPILED)
  return shareFolder()
}

export default setUp
