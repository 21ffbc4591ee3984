import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, it } from 'vitest'
import { findInArchive } from '../../../scripts/packages/contents.ts'
import { filterSnapshotStyles } from '../../../src/host/snapshot-styles.ts'
import { isSnapshotAttribute } from '../../../src/shared/startup-snapshot.ts'
import { root } from '../../support/program.ts'

const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
const [, block = ''] = /^files:\n((?: +[-#].*\n)+)/m.exec(config) ?? []
const patterns = [...block.matchAll(/^ +- '?(.+?)'?$/gm)].map(([, pattern = '']) => pattern)

const isPacked = (file: string): boolean =>
  patterns.some((pattern) => matchesGlob(file, pattern)) &&
  !patterns.some((pattern) => pattern.startsWith('!') && matchesGlob(file, pattern.slice(1)))

it('the app contains only allowed built files and one package', () => {
  const files = readdirSync(join(root, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
    .filter(isPacked)
  const packed = [...files, 'package.json', 'node_modules/better-sqlite3/lib/index.js']
  expect(findInArchive(packed, (file) => readFileSync(join(root, file)), root)).toEqual([])
})

it.each([
  ...['out/.built', 'out/service-package/index.js', 'out/linnet-service-0.1.0.tgz'],
  ...['out/main/browser.cjs', 'out/main/linnet.cjs', 'out/main/index.cjs.map'],
])('leaves %s out of a package', (file) => {
  expect(isPacked(file)).toBe(false)
})

it('the bill of materials and the notices name what ships', async () => {
  const bill = readFileSync(join(root, 'out', 'bill-of-materials.cdx.json'), 'utf8')
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(bill)).toBeNull()
  const { components } = JSON.parse(bill) as { readonly components: readonly { readonly purl: string }[] }
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length)
  const packages = components.map(({ purl }) => purl.replace(/@[^@]*$/, ''))
  const shipped = ['%40tiptap/core', 'better-sqlite3', 'electron', 'zod'].map((name) => `pkg:npm/${name}`)
  expect(packages).toEqual(expect.arrayContaining(shipped))
  const notices = readFileSync(join(root, 'out', 'third-party-notices.txt'), 'utf8')
  expect(notices.match(/^zod \d+\.\d+\.\d+ \(MIT\)$/gm)).toHaveLength(1)
  expect(notices).toMatch(/^Source: https:\/\/github\.com\/rotemdan\/hunspell-wasm$/m)
  expect(notices).toContain('MOZILLA PUBLIC LICENSE')
})

it('the app’s start leaves out electron-store’s validator', () => {
  const start = readFileSync(join(root, 'out', 'main', 'start.cjs'), 'utf8')
  expect(start).toContain('electron-store has no schema validator here.')
})

const readSheet = (): string => {
  const assets = join(root, 'out', 'renderer', 'assets')
  const sheets = readdirSync(assets).filter((name) => name.endsWith('.css'))
  expect(sheets).toHaveLength(1)
  return readFileSync(join(assets, sheets.join('')), 'utf8')
}

it('the page loads each Inter face once and waits for it, with its licence noted', () => {
  const page = readFileSync(join(root, 'out', 'renderer', 'index.html'), 'utf8')
  const faces = page.match(/@font-face\{[^}]*\}/g) ?? []
  const scripts = faces.map((face) => {
    const [, file = 'none', script = ''] =
      /url\(\.\/(assets\/inter-([a-z-]+)-wght-normal-[\w-]+\.woff2)\)/.exec(face) ?? []
    expect(readFileSync(join(root, 'out', 'renderer', file)).toString('latin1', 0, 4)).toBe('wOF2')
    expect(face).toContain('font-display:block')
    expect(face).toMatch(/font-feature-settings:["']calt["'] 0/)
    return script
  })
  expect(scripts.toSorted()).toEqual('cyrillic cyrillic-ext greek greek-ext latin latin-ext vietnamese'.split(' '))
  // If the page declared a font twice, it would load twice, with a blank screen in the meantime.
  expect(readSheet()).not.toContain('@font-face')
  const notices = readFileSync(join(root, 'out', 'third-party-notices.txt'), 'utf8')
  expect(notices).toMatch(/^@fontsource-variable\/inter \d+\.\d+\.\d+ \(OFL-1\.1\)$/m)
  expect(notices).toContain('The Inter Project Authors')
})

it('a startup snapshot with every component has the complete style sheet', () => {
  const sheet = readSheet()
  expect(sheet.length).toBeGreaterThan(50_000)
  expect(filterSnapshotStyles(sheet, (sheet.match(/svelte-[a-z0-9]+/g) ?? []).join(' '))).toBe(sheet)
})

it('a startup snapshot keeps the attributes that its style sheet uses', () => {
  const names = new Set([...readSheet().matchAll(/\[([a-z-]+)[\]~|^$*=]/g)].map(([, name = '']) => name))
  // Snapshots have no focus rings, menus or invalid fields, and a role only matters to screen readers.
  expect([...names].filter((name) => !isSnapshotAttribute(name, 'text')).toSorted()).toEqual([
    'aria-invalid',
    'role',
    'tabindex',
  ])
})
