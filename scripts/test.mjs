// npm test: installs missing packages, runs the everyday tests or all, and counts them. Options: docs/testing.md
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './build.mjs'
import { checksOf, endToEndSpecs, filesSince, specsOf, testsSince } from './changed.mjs'
import { describeFailures } from './failures.mjs'
import { ensureChromium, fetchChromium } from './find-chromium.mjs'
import { findElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { root, print } from './project.mjs'
import { runPlaywright, runVitest, startCheck } from './test-parts.mjs'

/** Environment of the long runs; each variable can also be set alone. */
const LONG = {
  ENDURANCE_SCALE: '10',
  LINNET_TEST_GROWTH: 'full',
  LINNET_TEST_LONG: '1',
  LINNET_TEST_WALK: 'full',
}
const PARTS = ['check', 'unit', 'integration', 'endurance', 'end-to-end']
const HOSTS = ['browser', 'electron']
/**
 * Parts of a plain `npm test`, which takes ten minutes with installation; its end-to-end tests cover only the most
 * common tasks.
 */
const USUAL_PARTS = ['check', 'unit', 'integration', 'end-to-end']
/** Seconds after which `--changed` starts nothing new, so that it finishes within two minutes. */
const CHANGED_SECONDS = 75
/** Number of test files that `--changed` passes to Vitest at once. */
const AT_ONCE = 24

/** Space required for temporary files, in bytes: twice what the tests use at any time. */
const TEMPORARY_ROOM = 4 * 2 ** 30

/** Keeps temporary files in memory where Linux allows it: nearly all are read once and removed. */
const temporaryInMemory = () => {
  const folder = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(folder)
    return process.env.TMPDIR === undefined && bavail * bsize >= TEMPORARY_ROOM ? { TMPDIR: folder } : {}
  } catch {
    return {}
  }
}

const usage = () => {
  console.error(`usage: npm test -- [--all | --rarer | --part ${PARTS.join('|')}…] [--shard K/N] [--times N] [--busy] [--long]
                   [--host ${HOSTS.join('|')}] [--both-hosts]
       npm test -- --changed [--since COMMIT]    what differs from a commit, HEAD by itself, in at most two minutes`)
  process.exit(2)
}

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        all: { type: 'boolean', default: false },
        rarer: { type: 'boolean', default: false },
        part: { type: 'string', multiple: true },
        times: { type: 'string', default: '1' },
        busy: { type: 'boolean', default: false },
        'both-hosts': { type: 'boolean', default: false },
        long: { type: 'boolean', default: false },
        changed: { type: 'boolean', default: false },
        since: { type: 'string', default: 'HEAD' },
        shard: { type: 'string' },
        host: { type: 'string' },
      },
    })
    const times = Number(values.times)
    const hasBothHosts = values['both-hosts'] || values.long
    const hosts = values.host === undefined ? HOSTS : HOSTS.filter((name) => name === values.host)
    const isUsual = values.part === undefined && !values.all && !values.rarer && !values.changed && !hasBothHosts
    const part = values.part ?? (isUsual ? USUAL_PARTS : PARTS)
    if (part.some((name) => !PARTS.includes(name)) || hosts.length === 0) return usage()
    if (!Number.isInteger(times) || times < 1) return usage()
    return { ...values, part, times, hosts, hasBothHosts, isUsual }
  } catch {
    return usage()
  }
}

const options = readOptions()
/** Tests to run: `usual` is a plain `npm test`, `rarer` is what it leaves out. */
const share = options.isUsual ? 'usual' : options.rarer ? 'rarer' : 'all'
const CHECKS = { usual: 'check:quick', rarer: 'check:slow', all: 'check' }
const described = options.isUsual
  ? ', with the tests of a working day: up to ten minutes on two cores. npm test -- --changed takes two, --all 20 to 40'
  : ''
print(
  options.changed
    ? `Testing what differs from ${options.since}, in at most two minutes.`
    : `Testing: ${PARTS.filter((name) => options.part.includes(name)).join(', ')}${described}.`,
)
/** The everyday tests open no browser profile, so the headless shell is enough. */
const chromiumNeeds = { isShellEnough: options.isUsual }
const hasEndToEnd = options.part.includes('end-to-end') && !options.changed
const needsElectron = hasEndToEnd && (options['both-hosts'] || options.host === 'electron')
const isFetched = hasEndToEnd && !needsElectron ? fetchChromium(chromiumNeeds) : null
await ensureInstalled()
const electron = hasDisplay() ? findElectron() : null
if (needsElectron && electron === null) {
  print(
    '--both-hosts and --host electron need the binary of Electron (npx install-electron) and a display (xvfb-run -a).',
  )
  process.exit(1)
}
const hosts = electron === null || options.changed ? ['browser'] : options.hosts
const temporary = temporaryInMemory()
/** Folder shared by the tests of all parts, for the demo mailbox. */
const shared = mkdtempSync(join(temporary.TMPDIR ?? tmpdir(), 'linnet-shared-'))
process.once('exit', () => rmSync(shared, { recursive: true, force: true }))
const env = {
  ...temporary,
  LINNET_TEST_SHARED: shared,
  LINNET_TEST_SHARE: share,
  ...(options.long && LONG),
}
/** These tests mostly wait for platforms and hosts, so three workers per core keep the CPU busy. */
const patient = `--maxWorkers=${3 * availableParallelism()}`
/**
 * Parts that share a Vitest run, so no core idles at the end of each part. A shard of rarer tests may contain no unit
 * tests.
 */
const VITEST_RUNS = options.rarer ? [['unit', 'integration', 'endurance']] : [['unit'], ['integration', 'endurance']]
const shard = options.shard === undefined ? [] : [`--shard=${options.shard}`]

const endToEnd = async (/** @type {readonly string[]} */ ...specs) => {
  await ensureBuilt()
  await isFetched
  const chromium = await ensureChromium(chromiumNeeds)
  return runPlaywright([...specs, ...hosts.map((host) => `--project=${host}`), ...shard], {
    ...env,
    LINNET_TEST_CHROMIUM: chromium.browser,
    LINNET_TEST_HEADLESS_SHELL: chromium.shell,
    LINNET_TEST_ONE_HOST: options.hasBothHosts ? '0' : '1',
  })
}

const runParts = async () => {
  const names = PARTS.filter((name) => options.part.includes(name))
  const results = []
  for (let round = 1; round <= options.times; round += 1) {
    if (options.times > 1) print(`\n── round ${round} of ${options.times}`)
    const endCheck = names.includes('check')
      ? startCheck([`npm run --silent ${CHECKS[share]}`], env, { isPatient: true })
      : null
    for (const together of VITEST_RUNS) {
      const parts = together.filter((name) => names.includes(name))
      if (parts.length === 0) continue
      const projects = parts.flatMap((name) => (name === 'unit' ? ['unit', 'renderer'] : [name]))
      const waiting = parts.at(-1) === 'unit' ? [] : [patient]
      const args = [...projects.map((name) => `--project=${name}`), ...waiting, ...shard]
      results.push(runVitest(parts.join(' and '), args, env))
    }
    if (names.includes('end-to-end')) results.push(await endToEnd())
    if (endCheck !== null) results.push(await endCheck())
  }
  if (names.includes('end-to-end')) {
    const alone = options.hasBothHosts ? '' : ' (what differs there; all of it with --both-hosts)'
    const where = electron === null ? ' (no Electron binary or no display here)' : alone
    console.log(`\nEnd-to-end tests ran against: ${hosts.join(' and ')}${where}`)
  }
  return results
}

/** Runs the tests affected by a change, nearest first, while there is time. */
const runChanged = async () => {
  const end = performance.now() + CHANGED_SECONDS * 1000
  const changed = filesSince(options.since)
  if (changed.length === 0) print(`Nothing differs from ${options.since}.`)
  const checks = checksOf(changed)
  const endCheck = checks.length > 0 ? startCheck(checks, env) : null
  const tests = changed.length === 0 ? [] : testsSince(options.since, changed)
  const specs = specsOf(changed, endToEndSpecs())
  const results = []
  const isInTime = () => performance.now() < end
  const runTouched = () => results.push(runVitest('touched', tests.splice(0, AT_ONCE), env))
  if (tests.length > 0) runTouched()
  while (specs.length > 0 && isInTime()) results.push(await endToEnd(...specs.splice(0, 2)))
  while (tests.length > 0 && isInTime()) runTouched()
  if (endCheck !== null) results.push(await endCheck())
  const left = [...tests, ...specs]
  if (left.length > 0) print(`\nNot run, for want of time (npm test -- --all runs all of them):\n${left.join('\n')}`)
  return results
}

// With `--busy`: a test that passes only on an idle machine would fail on someone else's.
const idler = join(import.meta.dirname, 'busy-loop.mjs')
const loops = options.busy ? Array.from({ length: availableParallelism() }, () => fork(idler)) : []
const results = await (options.changed ? runChanged() : runParts())
for (const loop of loops) loop.kill()

const passed = results.reduce((total, result) => total + result.passed, 0)
const failures = results.flatMap((result) => result.failures)
if (failures.length > 0) console.log(`\n${describeFailures(failures, root)}\n`)
if (options.isUsual) print('These were the tests of a working day; `npm test -- --all` runs every one.')
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
