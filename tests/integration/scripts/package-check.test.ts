import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** The sentinel that @electron/fuses looks for, the version, and the number of fuses. */
const FUSES = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009${'1'.repeat(9)}`

/** A folder that electron-builder accepts as Electron. It has only 60 bytes, so any app is too large in comparison. */
const makeTinyElectron = (): string => {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, 'resources'))
  writeFileSync(join(folder, 'version'), '45.0.0')
  writeFileSync(join(folder, 'electron'), FUSES)
  chmodSync(join(folder, 'electron'), 0o755)
  return folder
}

const check = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  spawnSync(process.execPath, [join(root, 'scripts', 'package-check.ts'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

describe.skipIf(process.platform !== 'linux')('npm run package:check', () => {
  it('exits with 1 for a fault found after electron-builder ran', () => {
    const { status, stderr } = check(['--sizes'], { ELECTRON_OVERRIDE_DIST_PATH: makeTinyElectron() })
    expect(stderr).toContain('1.15 is the bound.')
    expect(status).toBe(1)
  })
})
