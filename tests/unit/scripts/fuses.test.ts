import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Required fuses of the package (Electron's checklist, 19). */
const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
} as const

it('closes every Electron fuse that Linnet doesn’t use', () => {
  const config = readFileSync(new URL('../../../electron-builder.yml', import.meta.url), 'utf8')
  const [, block = ''] = /^electronFuses:\n((?: {2}.*\n)+)/m.exec(config) ?? []
  const found: Record<string, boolean> = Object.fromEntries(
    [...block.matchAll(/^ {2}(\w+): (true|false)$/gm)].map(([, name = '', value]) => [name, value === 'true']),
  )
  expect(found).toEqual(FUSES)
})
