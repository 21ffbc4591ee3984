import { expect, it } from 'vitest'
import { withoutValidator } from '../../../scripts/without-validator.ts'

const conf = '/app/node_modules/conf/dist/source/index.js'

it('removes electron-store’s validator from the build, but no other', () => {
  const { resolveId, load } = withoutValidator()
  for (const source of ['ajv/dist/2020.js', 'ajv-formats']) {
    const id = resolveId(source, conf)
    expect(id).not.toBeNull()
    expect(load(id ?? '')).toContain('no schema validator')
    expect(resolveId(source, '/app/scripts/bill-of-materials.ts')).toBeNull()
    expect(resolveId(source, undefined)).toBeNull()
  }
  expect(resolveId('atomically', conf)).toBeNull()
  expect(load(conf)).toBeNull()
})
