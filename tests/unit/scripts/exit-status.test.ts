import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesSince, testsSince } from '../../../scripts/changed.mjs'
import type { Failure } from '../../../scripts/failures.mjs'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } })

/** Runs a part of npm test in its own process to isolate its log. @returns its counts */
const countPart = (call: string) => {
  const parts = JSON.stringify(join(root, 'scripts', 'test-parts.mjs'))
  const program = `const parts = await import(${parts})\nconsole.log(JSON.stringify(parts.${call}))`
  const { stdout, stderr } = run(['--input-type=module', '--eval', program], {
    LINNET_TEST_SHARED: temporaryDirectory(),
  })
  expect(stdout, stderr).not.toBe('')
  return JSON.parse(stdout) as { readonly passed: number; readonly failures: readonly Failure[] }
}

describe('npm test', () => {
  it('fails a part without tests, whatever its runner says', () => {
    const none = (name: string) => ({
      passed: 0,
      failures: [{ name, file: '', message: 'It reported no test: see above.' }],
    })
    expect(countPart("runVitest('unit', ['--passWithNoTests', 'no-such-file'], {})")).toEqual(none('unit'))
    expect(countPart("runPlaywright(['--pass-with-no-tests', 'no-such-file'], {})")).toEqual(none('end-to-end'))
  })

  it('fails a part with an .only test', () => {
    const folder = temporaryDirectory()
    writeFileSync(join(folder, 'a.test.js'), "it.only('one', () => undefined)\nit('two', () => undefined)\n")
    const { failures } = countPart(`runVitest('unit', ['--globals', '--root', ${JSON.stringify(folder)}], {})`)
    expect(failures.map(({ message }) => message)).toEqual([expect.stringContaining('Unexpected .only')])
  })

  it('fails for both hosts if one is missing', () => {
    const { status, stderr } = run([join(root, 'scripts', 'test.mjs'), '--both-hosts', '--part', 'end-to-end'], {
      ELECTRON_OVERRIDE_DIST_PATH: temporaryDirectory(),
    })
    expect(stderr).toContain('need the binary of Electron')
    expect(status).toBe(1)
  })

  it('fails if the tests of a change can’t be listed', () => {
    expect(() => testsSince('no-such-commit', [])).toThrow('Can’t list the tests for this change')
    expect(() => filesSince('no-such-commit')).toThrow('no-such-commit')
  })
})

describe('other scripts', () => {
  it.each([
    ['screenshots.ts', 'no-such-screen', 2],
    ['strings.ts', 'no-such-file', 1],
    ['sign-feed.ts', 'no-such-file.yml', 2],
  ])('%s fails for %s', (script, argument, status) => {
    expect(run([join(root, 'scripts', script), argument]).status).toBe(status)
  })

  it('sign-feed.ts exits with 1 for a missing list', () => {
    const key = run([join(root, 'scripts', 'sign-feed.ts'), '--new-key'])
      .stdout.split('\n', 1)[0]
      ?.split('=', 2)[1]
    const missing = join(temporaryDirectory(), 'latest.yml')
    expect(run([join(root, 'scripts', 'sign-feed.ts'), missing], { LINNET_UPDATE_PRIVATE_KEY: key }).status).toBe(1)
  })
})
