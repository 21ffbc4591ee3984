import { dirname, join } from 'node:path'
import type { Shell } from 'electron'
import { ProblemError } from '../shared/result.ts'

/** As Electron's own archive has it. */
const FILE = 'LICENSES.chromium.html'

type ElectronProcess = Pick<NodeJS.Process, 'execPath' | 'platform'> & { readonly resourcesPath: string }

/**
 * Opens the licences of all that Electron is made of, which is a page of nine megabytes, in the person's browser. It lies beside
 * Electron's own file; on macOS, where only the bundle ships, electron-builder lays it into that.
 * @throws ProblemError `not_found` where it is missing, or nothing opens it
 */
export const createOpenLicences = (
  shell: Pick<Shell, 'openPath'>,
  { platform, execPath, resourcesPath }: ElectronProcess,
): (() => Promise<void>) => {
  const file = join(platform === 'darwin' ? resourcesPath : dirname(execPath), FILE)
  return async () => {
    const reason = await shell.openPath(file)
    if (reason === '') return
    throw new ProblemError({ code: 'not_found', message: `This could not be opened: ${file}`, details: { reason } })
  }
}
