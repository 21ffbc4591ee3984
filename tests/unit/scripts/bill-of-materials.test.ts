import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, it } from 'vitest'
import { describeMaterials } from '../../../scripts/bill-of-materials.ts'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const folderOf = (name: string): string => join(root, 'node_modules', name)
const SHIPPED = ['zod', '@tiptap/core', 'better-sqlite3', 'zod'].map(folderOf)

interface Bill {
  readonly metadata: { readonly component: { readonly name: string } }
  readonly components: readonly { readonly name: string; readonly type: string; readonly purl: string }[]
}

it('holds to the published schema of CycloneDX', async () => {
  const text = describeMaterials(root, folderOf('electron'), SHIPPED)
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
})

it('names what ships once, the runtime among it, by the names that registries know', () => {
  const bill = JSON.parse(describeMaterials(root, folderOf('electron'), SHIPPED)) as Bill
  expect(bill.metadata.component.name).toBe('linnet')
  expect(bill.components.map(({ purl }) => purl.replace(/@[^@]*$/, '')).sort()).toEqual([
    'pkg:npm/%40tiptap/core',
    'pkg:npm/better-sqlite3',
    'pkg:npm/electron',
    'pkg:npm/zod',
  ])
  expect(bill.components.find(({ name }) => name === 'electron')?.type).toBe('framework')
})

it('is the same for the same build, in whatever order its parts came', () => {
  const one = describeMaterials(root, folderOf('electron'), SHIPPED)
  expect(describeMaterials(root, folderOf('electron'), [...SHIPPED].reverse())).toBe(one)
})

it('a package that does not say what it is ships in no bill', () => {
  const directory = join(temporaryDirectory(), 'a')
  mkdirSync(directory)
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'a' }))
  expect(() => describeMaterials(root, folderOf('electron'), [directory])).toThrow('no name or version')
})
