// npm test -- --changed: what a change touches, in at most two minutes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectEnvironment, root } from './project.mjs'

const git = (/** @type {string[]} */ ...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.trim() || `git ${args[0]} ended with ${status}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** @returns {string[]} the files that differ from a commit, from the project's folder: also new and deleted ones */
export const filesSince = (/** @type {string} */ commit) => [
  ...git('diff', '--name-only', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

/**
 * The end-to-end tests of a change: those that it changes, and those that are named for a feature of the window in which it is.
 * @param {readonly string[]} changed
 * @param {readonly string[]} specs names of files
 */
export const specsOf = (changed, specs) => {
  const features = changed.flatMap((file) => /^src\/renderer\/features\/([\w-]+)\//.exec(file)?.[1] ?? [])
  const stems = features.map((feature) => feature.replace(/s$/, ''))
  return specs.filter(
    (spec) => changed.some((file) => basename(file) === spec) || stems.some((stem) => spec.startsWith(stem)),
  )
}

export const endToEndSpecs = () => readdirSync(join(root, 'tests', 'e2e')).filter((name) => name.endsWith('.spec.ts'))

/**
 * The checks of a change, as commands of a shell.
 * @param {readonly string[]} changed
 */
export const checksOf = (changed) => {
  const quoted = (/** @type {RegExp} */ pattern) =>
    changed.filter((file) => pattern.test(file) && existsSync(join(root, file))).map((file) => `"${file}"`)
  const has = (/** @type {RegExp} */ pattern) => changed.some((file) => pattern.test(file))
  const components = quoted(/\.svelte$/)
  const formatted = quoted(/\.(?:ts|mjs|js|css|md|ya?ml|json|html)$/)
  const isRenderer = /^src\/(?:renderer|shared)\/|^tests\/unit\/renderer\//
  return [
    // Of all modules: one that is changed can break the types of another.
    ...(has(/\.(?:ts|mjs|js)$/) ? ['oxlint'] : []),
    ...(has(isRenderer) ? ['svelte-check --tsconfig tsconfig.web.json --fail-on-warnings'] : []),
    ...(components.length > 0 ? [`eslint --max-warnings 0 ${components.join(' ')}`] : []),
    ...(formatted.length > 0 ? [`oxfmt --check ${formatted.join(' ')}`] : []),
    ...(components.length > 0 ? [`prettier --check --log-level warn ${components.join(' ')}`] : []),
  ]
}

/**
 * Those nearest to a change first: changed themselves, then unit tests, then those named for a folder of the change. Most
 * integration tests read the whole engine.
 * @param {readonly string[]} tests
 * @param {readonly string[]} changed
 */
export const byNearness = (tests, changed) => {
  const stems = changed.flatMap((file) => /^src\/engine\/([\w-]{4,})\//.exec(file)?.[1]?.slice(0, 5) ?? [])
  const distance = (/** @type {string} */ file) => {
    if (changed.includes(file)) return 0
    if (file.startsWith('tests/unit/')) return 1
    return stems.some((stem) => basename(file).includes(stem)) ? 2 : 3
  }
  return tests.toSorted((one, other) => distance(one) - distance(other))
}

const DEMO_TESTS = 'tests/unit/service-demo'
/** The demo's mail is read as files, which no import shows. */
const demoTestsOf = (/** @type {readonly string[]} */ changed) =>
  changed.some((file) => file.startsWith('resources/demo/'))
    ? readdirSync(join(root, DEMO_TESTS)).flatMap((name) =>
        name.endsWith('.test.ts') ? [`${DEMO_TESTS}/${name}`] : [],
      )
    : []

/**
 * The files of unit and integration tests that read a changed file, however far away, nearest first. Programs that a test
 * starts are not read by it: whole runs try these.
 * @param {string} commit
 * @param {readonly string[]} changed
 * @returns {string[]} from the project's folder
 */
export const testsSince = (commit, changed) => {
  const projects = ['unit', 'renderer', 'integration'].map((name) => `--project=${name}`)
  const { status, stdout, stderr, error } = spawnSync(
    'vitest',
    ['list', '--changed', commit, '--filesOnly', '--json', '--passWithNoTests', ...projects],
    { cwd: root, encoding: 'utf8', env: projectEnvironment(), shell: process.platform === 'win32' },
  )
  const begin = error === undefined ? stdout.indexOf('[') : -1
  if (status !== 0 || begin < 0)
    throw new Error(`The tests of the change cannot be listed:\n${error?.message ?? stderr}`)
  /** @type {{ file: string }[]} */
  const found = JSON.parse(stdout.slice(begin))
  const files = found.map(({ file }) => file.slice(root.length).replaceAll('\\', '/'))
  return byNearness([...new Set([...files, ...demoTestsOf(changed)])], changed)
}
