import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createLicenseOpener } from '../../../src/main/license-opener.ts'

const asked: string[] = []
const opener = (answer: string) => ({
  openPath: (path: string) => {
    asked.push(path)
    return Promise.resolve(answer)
  },
})

it('opens Electron’s licences next to its binary, or in the bundle on macOS', async () => {
  const execPath = join('/opt', 'Linnet', 'linnet')
  const resourcesPath = join('/Applications', 'Linnet.app', 'Contents', 'Resources')
  await createLicenseOpener(opener(''), { platform: 'linux', execPath, resourcesPath })()
  await createLicenseOpener(opener(''), { platform: 'darwin', execPath, resourcesPath })()
  expect(asked).toEqual([
    join(dirname(execPath), 'LICENSES.chromium.html'),
    join(resourcesPath, 'LICENSES.chromium.html'),
  ])
  const missing = createLicenseOpener(opener('no such file'), { platform: 'linux', execPath, resourcesPath })
  await expect(missing()).rejects.toMatchObject({ problem: { code: 'not_found' } })
})
