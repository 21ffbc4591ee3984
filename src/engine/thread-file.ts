import { basename, dirname, join } from 'node:path'

/**
 * The file of one of the engine's threads. In the build, files are joined: an entry lies in `out/main`, what several share in
 * `out/main/chunks`, and each thread beside the entries.
 * @param importer a file of `src/engine` itself, or what it became in the build
 * @param source the thread's source, from `src/engine`
 */
export const threadFile = (importer: string, source: string): string => {
  const folder = dirname(importer)
  if (importer.endsWith('.ts')) return join(folder, source)
  return join(basename(folder) === 'chunks' ? dirname(folder) : folder, `${basename(source, '.ts')}.cjs`)
}
