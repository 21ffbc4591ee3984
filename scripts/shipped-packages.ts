import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Folder of a module's package; null for Linnet's own modules and virtual ones. */
const packageOf = (moduleId: string): string | null =>
  /^(?!\0)(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId)?.[1] ?? null

interface OutputFile {
  readonly type: string
  readonly moduleIds?: readonly string[]
}

export interface ShippedFile {
  readonly file: string
  readonly describe: (directories: Iterable<string>) => string
}

/**
 * Returns a factory that makes a plugin for each of the app's builds. The last build to finish writes the files for all
 * of them.
 * @param beside folders of packages that ship next to the build, not in it
 */
export const shippedPackages = (beside: readonly string[], files: readonly ShippedFile[]) => {
  const directories = new Set(beside)
  return () => ({
    name: 'linnet:shipped-packages',
    generateBundle: (_options: unknown, bundle: Readonly<Record<string, OutputFile>>): void => {
      for (const { moduleIds = [] } of Object.values(bundle)) {
        for (const directory of moduleIds.map(packageOf)) if (directory !== null) directories.add(directory)
      }
      for (const { file, describe } of files) {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, describe(directories))
      }
    },
  })
}
