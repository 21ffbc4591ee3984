import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeMissingTools } from '../../../scripts/packages/required-tools.ts'
import { root } from '../../support/program.ts'

it('names missing programs and installs each package once', () => {
  expect(describeMissingTools(() => true, true)).toBeNull()
  const isInstalled = (program: string): boolean => !['rpmbuild', 'rpm2cpio', 'debootstrap'].includes(program)
  expect(describeMissingTools(isInstalled, false)).toBe(
    'These programs are missing: rpmbuild, rpm2cpio. Install them first:\n\n  sudo apt-get install rpm\n',
  )
  expect(describeMissingTools(isInstalled, true)).toContain('install rpm debootstrap debian-archive-keyring\n')
})

it('installs all required tools in the release workflow', () => {
  const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')
  const packagesOf = (text: string): readonly string[] =>
    /apt-get install ((?:--\S+ )*)(.+)/.exec(text)?.[2]?.split(' ') ?? []
  const installed = [...packagesOf(workflow), 'coreutils', 'dpkg', 'mount', 'util-linux']
  const needed = packagesOf(describeMissingTools(() => false, true) ?? '')
  expect(needed).toContain('debootstrap')
  expect(installed).toEqual(expect.arrayContaining([...needed]))
  expect(workflow).toContain('npm run package:check -- --complete')
})
