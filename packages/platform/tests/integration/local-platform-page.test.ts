/** The code of docs/local-platform.md, in files of its own and without any change. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

/** File names and their code. */
const filesIn = (page: string): readonly (readonly [name: string, code: string])[] =>
  [...page.matchAll(/`([\w.]+\.js)`:\n\n```js\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [name, code])

test('its handler passes its tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-handler-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = filesIn(readFileSync(join(root, 'docs/local-platform.md'), 'utf8'))
  expect(files.map(([name]) => name)).toEqual(['handler.js', 'handler.test.js', 'inbox.test.js', 'domain.test.js'])
  for (const [name, code] of files) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'linnet-service'), { recursive: true })
  symlinkSync(join(root, 'node_modules/resend'), join(modules, 'resend'), 'junction')
  // The source in place of the built package, which package.test.ts checks.
  const source = pathToFileURL(join(root, 'packages/platform/src/start-platform.ts')).href
  writeFileSync(join(modules, 'linnet-service/package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
  writeFileSync(join(modules, 'linnet-service/index.js'), `export { startPlatform } from '${source}'\n`)
  const tests = files.map(([name]) => name).filter((name) => name.endsWith('.test.js'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
    cwd: folder,
    encoding: 'utf8',
    // Set if this test's own runner is Node's, and then a nested one reports to it.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  expect(status, `${stdout}${stderr}`).toBe(0)
  expect(stdout).toContain('# pass 6')
})
