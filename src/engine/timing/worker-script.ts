import { basename, dirname, join } from 'node:path'

/**
 * Path of a worker's script. The bundler puts threads in `out/main`, and shared code in `out/main/chunks`.
 * @param importer a file in `src/engine`, or its bundled counterpart
 * @param source the thread's source, relative to `src/engine`
 */
export const resolveWorkerScript = (importer: string, source: string): string => {
  const folder = dirname(importer)
  if (importer.endsWith('.ts')) return join(folder, source)
  return join(basename(folder) === 'chunks' ? dirname(folder) : folder, `${basename(source, '.ts')}.cjs`)
}
