import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  findBeside,
  findInArchive,
  findInDesktopFile,
  findInFuses,
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
  expect(findBeside(['linnet', 'icudtl.dat', addon], ['icudtl.dat'], 'linux-x64')).toEqual([])
  expect(findBeside(['resources/app/main.cjs', addon], ['icudtl.dat'], 'linux-x64')).toHaveLength(1)
  expect(findBeside([addon], [], 'linux-arm64')).toHaveLength(2)
})

it('checks fuses, desktop file and size', () => {
  expect(findInFuses({ runAsNode: false }, { RunAsNode: false })).toEqual([])
  expect(findInFuses({ runAsNode: false }, { RunAsNode: true })).toEqual(['The fuse RunAsNode is not off.'])
  expect(findInFuses({ onlyLoadAppFromAsar: true }, {})).toHaveLength(1)

  const entry = [
    ...['[Desktop Entry]', 'Exec=/opt/Linnet/linnet %U', 'Icon=linnet', 'StartupWMClass=linnet'],
    'MimeType=x-scheme-handler/linnet;x-scheme-handler/mailto;',
  ]
  expect(findInDesktopFile(entry.join('\n'))).toEqual([])
  expect(findInDesktopFile(entry.join('\n').replace(' %U', ' --no-sandbox %U'))).toHaveLength(1)
  for (const [at] of entry.entries()) {
    expect(findInDesktopFile(entry.toSpliced(at, 1).join('\n')).length > 0).toBe(at !== 0)
  }

  expect(findInSize(114, 100)).toEqual([])
  expect(findInSize(116, 100)).toEqual(['Linnet is 1.160 × the size of an empty app; 1.15 is the bound.'])
})
