import { join } from 'node:path'
import { root } from './program.ts'

/**
 * Environment of programs that start again and again: only the first start compiles, and strips the types of sources, which is a quarter
 * of the work of a built one and half of the work of one that runs from its sources.
 */
export const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'linnet-compiled') }
