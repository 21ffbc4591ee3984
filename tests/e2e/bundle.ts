import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../support/program.ts'

/** Modules as one script that sets a global variable, as in the window's build. @param entry path from the project's root */
export const bundle = async (entry: string, name: string): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: join(root, entry), formats: ['iife'], name },
    },
  })
  const code = [built].flat().flatMap((one) => ('output' in one ? one.output[0].code : []))[0]
  if (code === undefined) throw new Error('There is no build.')
  // A blank page is no secure context, so it has no such function.
  return `crypto.randomUUID ??= () => 'one';${code}`
}

export const bundleReader = (): Promise<string> => bundle('tests/unit/renderer/support/sanitiser.ts', 'linnetReader')
