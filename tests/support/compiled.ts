import { join } from 'node:path'
import { root } from './program.ts'

/** Only the first start compiles and strips types: a quarter of a build's work, half when run from sources. */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'linnet-compiled') }
