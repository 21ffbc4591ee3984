/** Files that the local platform reads at run time: the demo's mail, and the page that shows mail. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

interface EmittedFile {
  readonly type: 'asset'
  readonly fileName: string
  readonly source: Uint8Array
}

/** Build plugin that copies these files into the output. @param root the project's folder */
export const serviceFiles = (root: string) => ({
  name: 'linnet:service-files',
  buildStart(this: { readonly emitFile: (file: EmittedFile) => void }): void {
    for (const name of ['demo', 'service-page']) {
      const folder = join(root, 'resources', name)
      for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (extname(path) === '' || path === 'README.md') continue
        const fileName = `${name}/${path.replaceAll('\\', '/')}`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, path)) })
      }
    }
  },
})
