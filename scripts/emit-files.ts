import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

type Files = Readonly<Record<string, Uint8Array>>
interface Emitter {
  readonly emitFile: (file: { readonly type: 'asset'; readonly fileName: string; readonly source: Uint8Array }) => void
}

/** Build plugin that adds files to the output, by their paths there. */
export const emitFiles = (files: Files) => ({
  name: 'linnet:emit-files',
  buildStart(this: Emitter): void {
    for (const [fileName, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName, source })
  },
})

/** Files that the local platform reads at run time: the demo's mail, and the page that shows mail. */
export const serviceFiles = (root: string): Files =>
  Object.fromEntries(
    ['demo', 'service-page'].flatMap((name) => {
      const folder = join(root, 'packages', 'platform', 'resources', name)
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => extname(path) !== '' && path !== 'README.md')
        .map((path) => [`${name}/${path.replaceAll('\\', '/')}`, readFileSync(join(folder, path))])
    }),
  )
