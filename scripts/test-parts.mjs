// The parts of npm test, each with its number of passed tests and its failures by name.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { failuresOfPlaywright, failuresOfVitest } from './failures.mjs'
import { projectEnvironment, root, run, print } from './project.mjs'

const reports = mkdtempSync(join(tmpdir(), 'linnet-test-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

const readReport = (/** @type {string} */ file) => {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Timeout of a part in milliseconds, four times what the longest part takes. Nothing else stops a test that blocks its
 * process forever.
 */
const LONGEST_PART = 2_700_000
const limit = (/** @type {NodeJS.ProcessEnv} */ env) =>
  env.LINNET_TEST_LONG === '1' ? {} : { timeout: LONGEST_PART, killSignal: /** @type {const} */ ('SIGKILL') }

/** @typedef {{ passed: number, failures: readonly import('./failures.mjs').Failure[] }} Counted */

/**
 * Counts a part's results. A part also fails if it exits with an error or reports no tests.
 * @param {{ name: string, code: number, passed: number, total: number, failures: Counted['failures'] }} part `total`
 * includes skipped tests
 * @returns {Counted}
 */
const countPart = ({ name, code, passed, total, failures }) => {
  const fault = code === 0 ? (total === 0 ? 'It reported no test' : null) : `It ended with ${code}`
  return {
    passed,
    failures: fault === null || failures.length > 0 ? failures : [{ name, file: '', message: `${fault}: see above.` }],
  }
}

/** @param {string} name @param {readonly string[]} args for Vitest @param {NodeJS.ProcessEnv} env */
export const runVitest = (name, args, env) => {
  const [file, astray] = [`${name}.json`, `${name}-astray.json`]
  for (const old of [file, astray]) rmSync(join(reports, old), { force: true })
  print(`\n── ${name}`)
  const reporters = [
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, file)}`],
    `--reporter=${join(root, 'scripts', 'astray-errors.mjs')}`,
    // A test marked `only` would skip all others.
    '--allowOnly=false',
  ]
  const code = run('vitest', ['run', ...args, ...reporters], {
    ...limit(env),
    env: { ...projectEnvironment(), ...env, LINNET_TEST_ASTRAY: join(reports, astray) },
  })
  const report = readReport(file)
  const failures = failuresOfVitest(report, readReport(astray) ?? [])
  return countPart({ name, code, passed: report?.numPassedTests ?? 0, total: report?.numTotalTests ?? 0, failures })
}

/** @param {readonly string[]} args for Playwright @param {NodeJS.ProcessEnv} env */
export const runPlaywright = (args, env) => {
  rmSync(join(reports, 'e2e.json'), { force: true })
  print('\n── end-to-end')
  const code = run('playwright', ['test', '--config', 'tests/e2e/playwright.config.ts', '--forbid-only', ...args], {
    ...limit(env),
    env: { ...projectEnvironment(), ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
  })
  const report = readReport('e2e.json')
  const failures = failuresOfPlaywright(report)
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {}
  const total = expected + unexpected + flaky + skipped
  return countPart({ name: 'end-to-end', code, passed: expected, total, failures })
}

/** Gives a process and its children the lowest CPU priority. */
const giveWay = (/** @type {number} */ pid) => {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has exited, or its priority can't be changed.
  }
}

/**
 * Starts the checks (types, lint, format, unused code) concurrently with the tests. Prints their output at the end.
 * @param {readonly string[]} commands shell commands, run until one fails
 * @param {NodeJS.ProcessEnv} env
 * @param {{ isPatient?: boolean }} [how] patient checks use only the CPU time that the tests leave, which is enough in
 * a full run
 * @returns a function that waits for the checks and returns their result
 */
export const startCheck = (commands, env, { isPatient = false } = {}) => {
  const file = join(reports, 'check.log')
  const log = openSync(file, 'w')
  const child = spawn(commands.join(' && '), {
    cwd: root,
    env: { ...projectEnvironment(), ...env },
    shell: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  if (isPatient && child.pid !== undefined) giveWay(child.pid)
  const ended = new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code) => resolve(code))
  })
  return async () => {
    const code = await ended
    const said = readFileSync(file, 'utf8')
    print(`\n── check\n${said}`)
    if (code === 0) return { passed: 1, failures: [] }
    return { passed: 0, failures: [{ name: 'check', file: '', message: said || `It ended with ${code}.` }] }
  }
}
