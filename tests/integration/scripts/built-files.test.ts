import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { findInArchive } from '../../../scripts/packages/contents.ts'
import { root } from '../../support/program.ts'

/** Which files of the build a package leaves out (electron-builder.yml). */
const LEFT_OUT = /^out\/(?:\.built$|\.log\/|main\/(?:browser|linnet)\.cjs$)|\.map$/

it('all that is built, and the one package beside it, is what an app may hold', () => {
  const files = readdirSync(join(root, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
    .filter((file) => !LEFT_OUT.test(file))
  const packed = [...files, 'package.json', 'node_modules/better-sqlite3/lib/index.js']
  expect(findInArchive(packed, (file) => readFileSync(join(root, file)), root)).toEqual([])
})
