// npm test: installs what is missing, then check, unit, integration and end-to-end tests, and one line that counts them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './find-chromium.mjs'
import { findElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { projectEnvironment, run, say } from './project.mjs'

ensureInstalled()
const chromium = ensureChromium()
const electron = hasDisplay() ? findElectron() : null
const hosts = electron === null ? ['browser'] : ['browser', 'electron']
const reports = mkdtempSync(join(tmpdir(), 'linnet-test-'))

/** Runs one part of the tests. @returns {number} its exit code */
const part = (name, command, args, env = {}) => {
  say(`\n── ${name}`)
  return run(command, args, { env: { ...projectEnvironment(), ...env } })
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'))
  } catch {
    return null
  }
}

const vitest = (name, folder) => {
  const file = `${name}.json`
  const code = part(name, 'vitest', [
    'run',
    `tests/${folder}/`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, file)}`,
  ])
  const report = readReport(file)
  const passed = report?.numPassedTests ?? 0
  const failed = report?.numFailedTests ?? 0
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

const playwright = () => {
  const projects = hosts.map((host) => `--project=${host}`)
  const code = part('end-to-end', 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', ...projects], {
    LINNET_TEST_CHROMIUM: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'),
  })
  const stats = readReport('e2e.json')?.stats
  const failed = (stats?.unexpected ?? 0) + (stats?.flaky ?? 0)
  return { passed: stats?.expected ?? 0, failed: code === 0 ? failed : Math.max(failed, 1) }
}

const check = () =>
  part('check', 'npm', ['run', '--silent', 'check']) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

const results = [check(), vitest('unit', 'unit'), vitest('integration', 'integration')]
ensureBuilt()
results.push(playwright())
rmSync(reports, { recursive: true, force: true })

const sum = (key) => results.reduce((total, result) => total + result[key], 0)
console.log(
  `\nEnd-to-end tests ran against: ${hosts.join(' and ')}${electron === null ? ' (no Electron binary or no display here)' : ''}`,
)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') === 0 ? 0 : 1)
