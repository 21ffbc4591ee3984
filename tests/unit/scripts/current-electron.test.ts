import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findInElectron } from '../../../scripts/current-electron.ts'
import { root } from '../../../scripts/project.mjs'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
/** Newest release at the last check; never go below it, whatever the registry says. */
const SEEN = '45.5.0'

it('finds an Electron version that is unsupported, outdated or not exact', () => {
  const released = ['45.4.1', '44.6.2', '43.9.0', '46.0.0-beta.1', '47.0.0-nightly.20261101']
  for (const sound of ['45.4.1', '44.6.2', '43.9.0', '45.5.0']) expect(findInElectron(sound, released)).toEqual([])
  expect(findInElectron('42.9.9', released)).toEqual(['Electron 42.9.9 is not mended any more: 45 is out.'])
  expect(findInElectron('45.4.0', released)).toEqual(['Electron 45.4.0 was mended: there is 45.4.1.'])
  expect(findInElectron('44.10.0', ['45.4.1', '44.9.12'])).toEqual([])
  expect(findInElectron('44.6.1', released)).toHaveLength(1)
  for (const vague of ['^45.4.1', '45', 'latest', '46.0.0-beta.1'])
    expect(findInElectron(vague, released)).toEqual([
      `electron is ${vague} in package.json: that is not one exact release.`,
    ])
  expect(findInElectron('45.4.1', [])).toEqual(['The registry names no release of Electron.'])
})

it('pins Electron to the locked version, never older than before', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { electron: string } }
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> }
  expect(findInElectron(devDependencies.electron, [SEEN])).toEqual([])
  expect(devDependencies.electron.localeCompare(SEEN, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
  expect(lock.packages['node_modules/electron']?.version).toBe(devDependencies.electron)
})

it('checks Electron before a release', () => {
  const release = read('.github/workflows/release.yml')
  const [before = ''] = release.split(/^ {2}package:$/m)
  expect(before).toContain('run: node scripts/current-electron.ts')
})
