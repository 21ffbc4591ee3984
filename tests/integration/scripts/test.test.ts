import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const CONFIG = `export default { test: { globals: true, projects: ['unit', 'renderer'].map((name) => ({
  extends: true,
  test: { name, include: [name + '.test.js'], pool: 'forks' },
})) } }`

/** Runs `npm test` in a small project whose unit tests have this content. */
const runTests = (content: string) => {
  const folder = temporaryDirectory()
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'vitest.config.js'), CONFIG)
  writeFileSync(join(folder, 'unit.test.js'), content)
  writeFileSync(join(folder, 'renderer.test.js'), "it('draws', () => undefined)")
  const args = [join(folder, 'scripts', 'test.mjs'), '--part', 'unit']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, stdout, last: stdout.trimEnd().split('\n').at(-1) }
}

describe('npm test', () => {
  it('ends with the counts', () => {
    expect(runTests("it('adds', () => undefined)")).toEqual({
      status: 0,
      stdout: '2 passed, 0 failed\n',
      last: '2 passed, 0 failed',
    })
  })

  it('repeats what failed', () => {
    const { status, stdout, last } = runTests("it('adds', () => expect(1).toBe(2))\nit('takes', () => undefined)")
    expect(stdout).toMatch(/^✗ unit: 1 failed$/m)
    expect(stdout).toContain('expected 1 to be 2')
    expect({ status, last }).toEqual({ status: 1, last: '2 passed, 1 failed' })
  })

  it.each([
    ['a crash', "it('ends', () => process.kill(process.pid, 'SIGKILL'))", 1],
    [
      'an error outside of any test',
      "setTimeout(() => { throw new Error('late') })\nit('waits', (done) => undefined)",
      2,
    ],
    ['a test marked only', "it.only('adds', () => undefined)", 1],
    ['a file that can’t be loaded', "import './missing.js'", 1],
  ])('fails for %s', (_name, content, passed) => {
    const { status, last } = runTests(content)
    expect({ status, last }).toEqual({ status: 1, last: `${passed} passed, 1 failed` })
  })
})
