import { ensureBuilt } from '../../scripts/build.mjs'

/** Vitest's global setup for tests that start programs: they start the build of what the sources are now. */
export default ensureBuilt
