import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../support/program.ts'

/** The reader's modules as one script that sets `linnetReader`, as in the window's build. */
export const bundleReader = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: join(root, 'tests/unit/renderer/support/sanitiser.ts'), formats: ['iife'], name: 'linnetReader' },
    },
  })
  const code = [built].flat().flatMap((one) => ('output' in one ? one.output[0].code : []))[0]
  if (code === undefined) throw new Error('There is no build.')
  // A blank page is no secure context, so it has no such function.
  return `crypto.randomUUID ??= () => 'one';${code}`
}
