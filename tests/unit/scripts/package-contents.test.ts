import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  filesOf,
  findBeside,
  findInAddons,
  findInArchive,
  findInBill,
  findInDesktopFile,
  findInFuses,
  findInIntegrity,
  findInSize,
} from '../../../scripts/packages/contents.ts'

const WHOLE = [
  ...['package.json', 'out/third-party-notices.txt', 'out/bill-of-materials.cdx.json'],
  ...['out/main/index.cjs', 'out/main/engine-worker.cjs', 'out/main/service.cjs', 'out/main/chunks/esm-BoqlsRxq.cjs'],
  ...['out/main/tray.png', 'out/main/hunspell.wasm'],
  ...['out/main/demo/mailbox.json', 'out/main/demo/inbox/customers.txt'],
  ...['out/preload/index.cjs', 'out/renderer/index.html', 'out/renderer/assets/index-_aB1.js'],
  ...['node_modules/better-sqlite3/lib/index.js', 'node_modules/better-sqlite3/prebuilds/linux-x64.node'],
]
const readNothing = (): Buffer => Buffer.from('"use strict"')
const inArchive = (files: readonly string[], read = readNothing) => findInArchive(files, read, '/home/ada/linnet')

it('accepts an archive of the app and reports foreign files', () => {
  expect(inArchive(WHOLE)).toEqual([])
  const foreign = [
    ...['src/main/index.ts', 'tests/unit/freshness.test.ts', 'out/main/browser.cjs', 'out/main/index.cjs.map'],
    ...['out/main/linnet.cjs', 'out/main/demo/README.md'],
    ...['node_modules/better-sqlite3/deps/sqlite3/sqlite3.c', 'node_modules/node-addon-api/napi.h', 'out/.built'],
  ]
  expect(inArchive([...WHOLE, ...foreign])).toEqual(
    foreign.map((file) => `app.asar has ${file}, which is no part of the app.`),
  )
})

it('allows only the packages that can’t be bundled', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  expect(
    inArchive([...WHOLE, ...Object.keys(dependencies).map((name) => `node_modules/${name}/package.json`)]),
  ).toEqual([])
})

it('reports missing parts, source maps and build paths in an archive', () => {
  expect(inArchive(WHOLE.filter((file) => file !== 'out/main/service.cjs'))).toEqual([
    'app.asar has no out/main/service.cjs.',
  ])
  expect(inArchive(WHOLE.filter((file) => file !== 'out/main/tray.png'))).toEqual([
    'app.asar has no out/main/tray.png.',
  ])
  const mapped = 'call()\n//# sourceMappingURL=index.cjs.map\n'
  expect(inArchive(WHOLE, () => Buffer.from(mapped))).toContain('out/main/index.cjs names a map of its sources.')
  expect(inArchive(WHOLE, () => Buffer.from('const it = "sourceMappingURL="'))).toEqual([])
  expect(inArchive(WHOLE, () => Buffer.from('at /home/ada/linnet/src'))).toContain(
    'out/main/index.cjs says in which folder it was built.',
  )
})

it('accepts Electron and one matching addon next to the archive', () => {
  const addon = 'resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds/linux-x64.node'
  expect(findBeside(['linnet', 'icudtl.dat', addon], ['icudtl.dat'])).toEqual([])
  expect(findBeside(['resources/app/main.cjs'], ['icudtl.dat'])).toHaveLength(1)

  const elf = Buffer.alloc(64)
  elf.write('\u007FELF', 'latin1')
  elf.writeUInt16LE(0x3e, 18)
  expect(findInAddons([[addon, elf]], 'linux-x64')).toEqual([])
  expect(findInAddons([], 'linux-x64')).toHaveLength(1)
  expect(findInAddons([[addon, elf]], 'linux-arm64')).toHaveLength(1)
  const misnamed = addon.replace('x64', 'arm64')
  expect(findInAddons([[misnamed, elf]], 'linux-arm64')).toEqual([`${misnamed} is not made for linux-arm64.`])
  expect(
    findInAddons(
      [
        [addon, elf],
        [misnamed, elf],
      ],
      'linux-x64',
    ),
  ).toHaveLength(2)
})

it('checks archive content against its header', () => {
  const content = Buffer.from('words')
  const hash = createHash('sha256').update(content).digest('hex')
  const packed = filesOf({
    files: { a: { files: { b: { integrity: { algorithm: 'SHA256', hash } }, c: { unpacked: true } } } },
  })
  expect([...packed.keys()]).toEqual(['a/b', 'a/c'])
  expect(findInIntegrity(packed, () => content)).toEqual([])
  expect(findInIntegrity(packed, () => Buffer.from('other'))).toEqual(["a/b is not what the archive's head says."])
  expect(findInIntegrity(filesOf({ files: { a: {} } }), () => content)).toHaveLength(1)
})

it('requires every noticed package in the bill of materials', () => {
  const notices =
    'Head\n\n\n@tiptap/core 3.34.0 (MIT)\n\n=========================\n\nText\n\n\nzod 4.6.7 (MIT)\n\n===============\n'
  const bill = (version: string): string =>
    JSON.stringify({
      components: [
        { group: '@tiptap', name: 'core', version: '3.34.0' },
        { name: 'zod', version },
      ],
    })
  expect(findInBill(bill('4.6.7'), notices)).toEqual([])
  expect(findInBill(bill('4.0.0'), notices)).toEqual(['zod 4.6.7 has a notice and is not in the bill of materials.'])
  expect(findInBill(bill('4.6.7'), 'Nothing.')).toHaveLength(1)
})

it('checks fuses, desktop file and size', () => {
  expect(findInFuses({ runAsNode: false }, { RunAsNode: false })).toEqual([])
  expect(findInFuses({ runAsNode: false }, { RunAsNode: true })).toEqual(['The fuse RunAsNode is not off.'])
  expect(findInFuses({ onlyLoadAppFromAsar: true }, {})).toHaveLength(1)

  const entry = [
    ...['[Desktop Entry]', 'Exec=/opt/Linnet/linnet %U', 'Icon=linnet', 'StartupWMClass=linnet', 'Keywords=mail;'],
    ...['Categories=Network;Email;', 'MimeType=x-scheme-handler/linnet;x-scheme-handler/mailto;'],
  ]
  const icons = ['usr/share/icons/hicolor/16x16/apps/linnet.png']
  expect(findInDesktopFile(entry.join('\n'), icons)).toEqual([])
  expect(findInDesktopFile(entry.join('\n'), [])).toHaveLength(1)
  expect(findInDesktopFile(entry.join('\n').replace(' %U', ' --no-sandbox %U'), icons)).toEqual([
    'The desktop file starts Linnet without the sandbox.',
  ])
  for (const [at] of entry.entries()) {
    const without = entry.filter((_line, index) => index !== at).join('\n')
    expect(findInDesktopFile(without, icons).length > 0).toBe(at !== 0)
  }

  expect(findInSize('Linnet', 114, 100)).toBeNull()
  expect(findInSize('Linnet', 116, 100)).toBe('Linnet is 1.160 × that of an empty app; 1.15 is the bound.')
})
