// npm test: installs missing packages, runs the everyday tests or others, and counts them. Options: docs/testing.md
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { ensureChromium, fetchChromium } from './find-chromium.mjs'
import { findElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { print, projectEnvironment, root } from './project.mjs'

const PARTS = ['check', 'unit', 'integration', 'endurance', 'end-to-end']
const HOSTS = ['browser', 'electron']
/** Environment of the long runs; each variable can also be set alone. */
const LONG = { ENDURANCE_SCALE: '10', LINNET_TEST_GROWTH: 'full', LINNET_TEST_LONG: '1', LINNET_TEST_WALK: 'full' }
/** Space required for temporary files in memory, in bytes: twice what the tests use at any time. */
const TEMPORARY_ROOM = 4 * 2 ** 30
/** Milliseconds, four times what the longest part takes. Nothing else stops a test that blocks its process. */
const LONGEST_PART = 2_700_000
/** Milliseconds that programs left by a part may keep its output open. */
const LAST_OUTPUT_MS = 2000
/** Lines of a failed part's output to repeat at the end. */
const REPEATED_LINES = 100

const usage = () => {
  print(`usage: npm test -- [--all | --rarer | --changed [--since COMMIT] | --part ${PARTS.join('|')}…] [--shard K/N]
                   [--host ${HOSTS.join('|')} | --both-hosts] [--long]`)
  process.exit(2)
}

const readOptions = () => {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false })
  try {
    const { values } = parseArgs({
      options: {
        all: flag,
        rarer: flag,
        changed: flag,
        since: { type: 'string', default: 'HEAD' },
        part: { type: 'string', multiple: true },
        shard: { type: 'string' },
        host: { type: 'string', multiple: true, default: HOSTS },
        'both-hosts': flag,
        long: flag,
      },
    })
    const isKnown =
      (values.part ?? []).every((name) => PARTS.includes(name)) && values.host.every((name) => HOSTS.includes(name))
    return isKnown ? { ...values, 'both-hosts': values['both-hosts'] || values.long } : usage()
  } catch {
    return usage()
  }
}

const options = readOptions()
const isWhole = options.all || options.part !== undefined || options['both-hosts']
/** Tests to run: `usual` is a plain `npm test`, `rarer` is what it leaves out. */
const share = options.rarer ? 'rarer' : isWhole ? 'all' : 'usual'
const check = { usual: 'check:quick', rarer: 'check:slow', all: 'check' }[share]
const parts = options.part ?? PARTS.filter((name) => share !== 'usual' || name !== 'endurance')
const hasEndToEnd = parts.includes('end-to-end')
const needsElectron = hasEndToEnd && (options['both-hosts'] || !options.host.includes('browser'))
/** The everyday tests open no browser profile, so the headless shell is enough. */
const chromiumNeeds = { isShellEnough: share === 'usual' }

print(
  `Testing: ${parts.join(', ')}${share === 'usual' ? ' (up to ten minutes; npm test -- --all runs every test)' : ''}.`,
)
const isFetched = hasEndToEnd && !needsElectron ? fetchChromium(chromiumNeeds) : null
ensureInstalled()
const electron = hasDisplay() ? findElectron() : null
if (needsElectron && electron === null) {
  print('Tests in Electron need its binary (npx install-electron) and a display (xvfb-run -a).')
  process.exit(1)
}

const hasRoomInMemory = () => {
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize >= TEMPORARY_ROOM
}
/** In memory where Linux allows it: nearly all temporary files are read once and removed. */
const TMPDIR = process.env.TMPDIR === undefined && existsSync('/dev/shm') && hasRoomInMemory() ? '/dev/shm' : tmpdir()
const reports = mkdtempSync(join(TMPDIR, 'linnet-test-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
const env = {
  ...projectEnvironment(),
  ...(process.platform !== 'win32' && { TMPDIR }),
  ...(process.stderr.isTTY && { FORCE_COLOR: '1' }),
  ...(options.long && LONG),
  LINNET_TEST_SHARE: share,
  LINNET_TEST_ONE_HOST: options['both-hosts'] ? '0' : '1',
  PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'end-to-end'),
}

/**
 * Runs a part. It fails if its program ends with an error, whatever its report says.
 * @param {string} name also of its JSON report, if it writes one
 * @param {readonly string[]} command
 * @param {boolean} [isBackground] gets the CPU time that the others leave; its output is printed only if it fails
 * @returns {Promise<{ name: string, passed: number, failed: number, output: string }>}
 */
const runPart = async (name, [program = '', ...args], isBackground = false) => {
  print(`\n── ${name}`)
  const child = spawn(program, args, {
    cwd: root,
    env,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(!options.long && { timeout: LONGEST_PART }),
  })
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text
      if (!isBackground) process.stderr.write(text)
    })
  }
  const closed = new Promise((resolve) => child.once('close', resolve))
  const code = await new Promise((resolve) =>
    child.once('error', ({ message }) => resolve(message)).once('exit', resolve),
  )
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_OUTPUT_MS))])
  child.stdout.destroy()
  child.stderr.destroy()
  const { passed, failed } = readCounts(name, code === 0)
  return {
    name,
    passed,
    failed: code === 0 ? 0 : Math.max(1, failed),
    output: `${output}\n${name} ended with ${code}.`,
  }
}

/** Counts of a JSON report of Vitest or Playwright. A part without a report counts as one test. */
const readCounts = (/** @type {string} */ name, /** @type {boolean} */ isWell) => {
  try {
    const { stats, ...counts } = JSON.parse(readFileSync(join(reports, name), 'utf8'))
    return stats?.expected === undefined
      ? { passed: counts.numPassedTests, failed: counts.numFailedTests }
      : { passed: stats.expected, failed: stats.unexpected + stats.flaky }
  } catch {
    return { passed: isWell ? 1 : 0, failed: 1 }
  }
}

const shard = options.shard === undefined ? [] : [`--shard=${options.shard}`]
const results = []
const isChecked = parts.includes('check') ? runPart('check', ['npm', 'run', '--silent', check], true) : null

const projects = parts.filter((name) => name !== 'check' && name !== 'end-to-end')
if (projects.length > 0) {
  const names = projects.flatMap((name) => (name === 'unit' ? ['unit', 'renderer'] : [name]))
  const name = projects.join('+')
  results.push(
    await runPart(name, [
      ...['vitest', 'run', ...names.map((each) => `--project=${each}`), ...shard],
      // A test marked `only` would skip all others.
      ...['--allowOnly=false', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, name)}`],
      ...(options.changed ? [`--changed=${options.since}`, '--passWithNoTests'] : []),
    ]),
  )
}
if (hasEndToEnd) {
  ensureBuilt()
  await isFetched
  const chromium = await ensureChromium(chromiumNeeds)
  Object.assign(env, { LINNET_TEST_CHROMIUM: chromium.browser, LINNET_TEST_HEADLESS_SHELL: chromium.shell })
  const hosts = electron === null ? ['browser'] : options.host
  results.push(
    await runPart('end-to-end', [
      ...['playwright', 'test', '--config=tests/e2e/playwright.config.ts', ...hosts.map((host) => `--project=${host}`)],
      ...['--reporter=list,json', '--forbid-only', '--fail-on-flaky-tests', ...shard],
      ...(options.changed ? [`--only-changed=${options.since}`, '--pass-with-no-tests'] : []),
    ]),
  )
  print(`End-to-end tests ran in: ${hosts.join(', ')}${electron === null ? ' (no Electron or no display)' : ''}.`)
}
if (isChecked !== null) results.push(await isChecked)

for (const { name, failed, output } of results.filter((result) => result.failed > 0)) {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n')
  // Vitest lists its failures under a heading.
  const first = Math.max(
    lines.findIndex((line) => /^⎯+ (?:Failed|Unhandled)/.test(line)),
    lines.length - REPEATED_LINES,
    0,
  )
  console.log(`\n✗ ${name}: ${failed} failed\n${lines.slice(first).join('\n')}`)
}
const sum = (/** @type {'passed' | 'failed'} */ key) => results.reduce((total, result) => total + result[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
