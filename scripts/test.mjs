// npm test: installs what is missing, then check, unit, integration and end-to-end tests, and one line that counts them.
// npm test -- [--part NAME]… [--times N] [--busy] [--both-hosts] [--long]: only some parts, several times over, beside a busy
// loop on every core, what happens in the window alone in Electron as well as in the browser, all of it as long as was meant:
// 100 damages of each file, 100 sudden ends, texts of a megabyte, a mailbox of 100,000 threads, 20,000 searches compared with
// the platform's.
import { fork, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { describeFailures, failuresOfPlaywright, failuresOfVitest } from './failures.mjs'
import { ensureChromium } from './find-chromium.mjs'
import { findElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { projectEnvironment, root, run, say } from './project.mjs'

/** What the long runs set; each can be set alone. */
const LONG = {
  ENDURANCE_SCALE: '10',
  LINNET_TEST_GROWTH: 'full',
  LINNET_TEST_LONG: '1',
  LINNET_TEST_WALK: 'full',
}
const PARTS = ['check', 'unit', 'integration', 'end-to-end']

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      part: { type: 'string', multiple: true, default: PARTS },
      times: { type: 'string', default: '1' },
      busy: { type: 'boolean', default: false },
      'both-hosts': { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
    },
  })
  const times = Number(values.times)
  const unknown = values.part.find((name) => !PARTS.includes(name))
  if (unknown !== undefined || !Number.isInteger(times) || times < 1) {
    console.error(`usage: npm test -- [--part ${PARTS.join('|')}]… [--times N] [--busy] [--both-hosts] [--long]`)
    process.exit(2)
  }
  const hasBothHosts = values['both-hosts'] || values.long
  return { parts: values.part, times, busy: values.busy, long: values.long, hasBothHosts }
}

const options = readOptions()
ensureInstalled()
const chromium = ensureChromium()
const electron = hasDisplay() ? findElectron() : null
const hosts = electron === null ? ['browser'] : ['browser', 'electron']
const reports = mkdtempSync(join(tmpdir(), 'linnet-test-'))

/** Runs one part of the tests. @returns {number} its exit code */
const part = (name, command, args, env = {}) => {
  say(`\n── ${name}`)
  return run(command, args, { env: { ...(options.long ? LONG : {}), ...projectEnvironment(), ...env } })
}

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'))
  } catch {
    return null
  }
}

/**
 * What a part came to. One that ended badly has failed, also where no test of it has.
 * @param {{ name: string, code: number, passed: number, failures: readonly import('./failures.mjs').Failure[] }} part
 */
const countPart = ({ name, code, passed, failures }) => ({
  passed,
  failures:
    code === 0 || failures.length > 0 ? failures : [{ name, file: '', message: `It ended with ${code}: see above.` }],
})

const vitest = (name, folder, args = []) => {
  const [file, astray] = [`${name}.json`, `${name}-astray.json`]
  for (const old of [file, astray]) rmSync(join(reports, old), { force: true })
  const command = [
    'run',
    `tests/${folder}/`,
    ...args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${join(reports, file)}`,
    `--reporter=${join(root, 'scripts', 'astray-errors.mjs')}`,
  ]
  const code = part(name, 'vitest', command, { LINNET_TEST_ASTRAY: join(reports, astray) })
  const report = readReport(file)
  const failures = failuresOfVitest(report, readReport(astray) ?? [])
  return countPart({ name, code, passed: report?.numPassedTests ?? 0, failures })
}

const playwright = () => {
  rmSync(join(reports, 'e2e.json'), { force: true })
  const projects = hosts.map((host) => `--project=${host}`)
  const code = part('end-to-end', 'playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', ...projects], {
    LINNET_TEST_CHROMIUM: chromium.browser,
    LINNET_TEST_HEADLESS_SHELL: chromium.shell,
    LINNET_TEST_ONE_HOST: options.hasBothHosts ? '0' : '1',
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'),
  })
  const report = readReport('e2e.json')
  return countPart({
    name: 'end-to-end',
    code,
    passed: report?.stats.expected ?? 0,
    failures: failuresOfPlaywright(report),
  })
}

/**
 * Types, lint, format and what is not used: one thread at a time, beside tests that wait more than they compute. What it says
 * is little, and is said when it is over.
 * @returns a function that waits for its end
 */
const startCheck = () => {
  const file = join(reports, 'check.log')
  const log = openSync(file, 'w')
  const child = spawn('npm', ['run', '--silent', 'check'], {
    cwd: root,
    env: { ...(options.long ? LONG : {}), ...projectEnvironment() },
    shell: process.platform === 'win32',
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code) => resolve(code))
  })
  return async () => {
    const code = await ended
    const said = readFileSync(file, 'utf8')
    say(`\n── check\n${said}`)
    if (code === 0) return { passed: 1, failures: [] }
    return { passed: 0, failures: [{ name: 'check', file: '', message: said || `It ended with ${code}.` }] }
  }
}

const endToEnd = () => {
  ensureBuilt()
  return playwright()
}

const work = {
  unit: () => vitest('unit', 'unit'),
  // They wait for platforms and hosts more than they compute: twice as many as there are cores keep those at work.
  integration: () => vitest('integration', 'integration', [`--maxWorkers=${2 * availableParallelism()}`]),
  'end-to-end': endToEnd,
}

// A test that passes only on an idle machine is one that fails on somebody else's.
const idler = join(import.meta.dirname, 'busy-loop.mjs')
const loops = options.busy ? Array.from({ length: availableParallelism() }, () => fork(idler)) : []
const names = PARTS.filter((name) => options.parts.includes(name))
const results = []
for (let round = 1; round <= options.times; round += 1) {
  if (options.times > 1) say(`\n── round ${round} of ${options.times}`)
  const endCheck = names.includes('check') ? startCheck() : null
  for (const name of ['unit', 'integration']) if (names.includes(name)) results.push(work[name]())
  if (endCheck !== null) results.push(await endCheck())
  if (names.includes('end-to-end')) results.push(work['end-to-end']())
}
for (const loop of loops) loop.kill()
rmSync(reports, { recursive: true, force: true })

const passed = results.reduce((total, result) => total + result.passed, 0)
const failures = results.flatMap((result) => result.failures)
if (names.includes('end-to-end')) {
  const alone = options.hasBothHosts ? '' : ' (what happens in the window alone in the first: --both-hosts)'
  const where = electron === null ? ' (no Electron binary or no display here)' : alone
  console.log(`\nEnd-to-end tests ran against: ${hosts.join(' and ')}${where}`)
}
if (failures.length > 0) console.log(`\n${describeFailures(failures, root)}\n`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
