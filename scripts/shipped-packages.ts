/** Which packages a build really took in, told to whoever writes of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The folder of the package that a module belongs to; null for Linnet's own, and for what a build makes up. */
export const packageOf = (moduleId: string): string | null =>
  /^(?!\0)(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(moduleId)?.[1] ?? null

interface OutputFile {
  readonly type: string
  readonly moduleIds?: readonly string[]
}

/** A file that is written of the folders of the packages. */
export interface ShippedFile {
  readonly file: string
  readonly describe: (directories: Iterable<string>) => string
}

/**
 * A plugin for each of the builds that make up the app. The last one to end leaves the files of all of them.
 * @param beside folders of packages that ship beside the build, not in it
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
