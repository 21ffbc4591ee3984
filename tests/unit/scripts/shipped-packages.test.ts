import { expect, it } from 'vitest'
import { packageOf } from '../../../scripts/shipped-packages.ts'

it('assigns a module to its innermost package, or to none', () => {
  expect(packageOf('/x/node_modules/zod/v4/index.js')).toBe('/x/node_modules/zod')
  expect(packageOf('/x/node_modules/@hono/node-server/dist/index.mjs?commonjs')).toBe(
    '/x/node_modules/@hono/node-server',
  )
  expect(packageOf('/x/node_modules/a/node_modules/b/index.js')).toBe('/x/node_modules/a/node_modules/b')
  expect(packageOf(String.raw`C:\x\node_modules\ws\index.js`)).toBe(String.raw`C:\x\node_modules\ws`)
  expect(packageOf('/x/src/main/index.ts')).toBeNull()
  expect(packageOf('\0vite/preload-helper.js')).toBeNull()
})
