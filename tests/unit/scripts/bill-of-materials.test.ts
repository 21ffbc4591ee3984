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

it('conforms to the CycloneDX schema', async () => {
  const text = describeMaterials(root, folderOf('electron'), SHIPPED)
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
})

it('lists each shipped package once, including the runtime, by its registry name', () => {
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

it('is deterministic whatever the order of the parts', () => {
  const one = describeMaterials(root, folderOf('electron'), SHIPPED)
  expect(describeMaterials(root, folderOf('electron'), [...SHIPPED].reverse())).toBe(one)
})

it('rejects a package without a name or version', () => {
  const directory = join(temporaryDirectory(), 'a')
  mkdirSync(directory)
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'a' }))
  expect(() => describeMaterials(root, folderOf('electron'), [directory])).toThrow('no name or version')
})
