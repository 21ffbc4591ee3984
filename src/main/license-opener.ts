import { dirname, join } from 'node:path'
import type { Shell } from 'electron'
import { ProblemError } from '../shared/result.ts'

const FILE = 'LICENSES.chromium.html'

type ElectronProcess = Pick<NodeJS.Process, 'execPath' | 'platform'> & { readonly resourcesPath: string }

/**
 * Opens Electron's licences, a 9 MB page, in the user's browser. The file is next to Electron's executable; on macOS,
 * electron-builder copies it into the bundle.
 * @throws ProblemError `not_found` if it is missing or nothing can open it
 */
export const createLicenseOpener = (
  shell: Pick<Shell, 'openPath'>,
  { platform, execPath, resourcesPath }: ElectronProcess,
): (() => Promise<void>) => {
  const file = join(platform === 'darwin' ? resourcesPath : dirname(execPath), FILE)
  return async () => {
    const reason = await shell.openPath(file)
    if (reason === '') return
    throw new ProblemError({
      code: 'not_found',
      message: `The licences file could not be opened: ${file}`,
      details: { reason },
    })
  }
}
