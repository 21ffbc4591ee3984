import { join } from 'node:path'
import { root } from './program.ts'

/** For programs that run from the sources again and again: only the first start strips types and compiles, half of its work. */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'linnet-compiled') }
