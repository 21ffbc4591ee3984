// `npm test -- --changed`: the checks and tests affected by a change, in at most two minutes.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectEnvironment, root } from './project.mjs'

const git = (/** @type {string[]} */ ...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr.trim() || `git ${args[0]} ended with ${status}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/**
 * @returns {string[]} files that differ from the commit, including new and deleted ones, relative to the project root
 */
export const filesSince = (/** @type {string} */ commit) => [
  ...git('diff', '--name-only', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

/**
 * End-to-end specs for a change: changed specs, and specs named after a changed feature of the window.
 * @param {readonly string[]} changed
 * @param {readonly string[]} specs file names
 */
export const specsOf = (changed, specs) => {
  const features = changed.flatMap((file) => /^src\/renderer\/features\/([\w-]+)\//.exec(file)?.[1] ?? [])
  const stems = features.map((feature) => feature.replace(/s$/, ''))
  return specs.filter(
    (spec) => changed.some((file) => basename(file) === spec) || stems.some((stem) => spec.startsWith(stem)),
  )
}

export const endToEndSpecs = () => readdirSync(join(root, 'tests', 'e2e')).filter((name) => name.endsWith('.spec.ts'))

/** Shell commands that check a change. @param {readonly string[]} changed */
export const checksOf = (changed) => {
  const quoted = (/** @type {RegExp} */ pattern) =>
    changed.filter((file) => pattern.test(file) && existsSync(join(root, file))).map((file) => `"${file}"`)
  const has = (/** @type {RegExp} */ pattern) => changed.some((file) => pattern.test(file))
  const components = quoted(/\.svelte$/)
  const formatted = quoted(/\.(?:ts|mjs|js|css|md|ya?ml|json|html)$/)
  const isRenderer = /^src\/(?:renderer|shared)\/|^tests\/unit\/renderer\//
  return [
    // Lint everything: a changed module can break the types of another.
    ...(has(/\.(?:ts|mjs|js)$/) ? ['oxlint'] : []),
    ...(has(isRenderer) ? ['svelte-check --tsconfig tsconfig.web.json --fail-on-warnings'] : []),
    ...(components.length > 0 ? [`eslint --max-warnings 0 ${components.join(' ')}`] : []),
    ...(formatted.length > 0 ? [`oxfmt --check ${formatted.join(' ')}`] : []),
    ...(components.length > 0 ? [`prettier --check --log-level warn ${components.join(' ')}`] : []),
  ]
}

/**
 * Sorts tests by nearness to the change: changed tests, unit tests, tests named after a changed engine folder, then the
 * rest. Most integration tests import the entire engine.
 * @param {readonly string[]} tests @param {readonly string[]} changed
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
/** The demo's mail is read from disk, so no import links it to its tests. */
const demoTestsOf = (/** @type {readonly string[]} */ changed) =>
  changed.some((file) => file.startsWith('resources/demo/'))
    ? readdirSync(join(root, DEMO_TESTS)).flatMap((name) =>
        name.endsWith('.test.ts') ? [`${DEMO_TESTS}/${name}`] : [],
      )
    : []

/**
 * Unit and integration tests that import a changed file, directly or not, nearest first. Programs spawned by a test
 * aren't tracked; full runs cover them.
 * @param {string} commit
 * @param {readonly string[]} changed
 * @returns {string[]} relative to the project root
 */
export const testsSince = (commit, changed) => {
  const projects = ['unit', 'renderer', 'integration'].map((name) => `--project=${name}`)
  const { status, stdout, stderr, error } = spawnSync(
    'vitest',
    ['list', '--changed', commit, '--filesOnly', '--json', '--passWithNoTests', ...projects],
    { cwd: root, encoding: 'utf8', env: projectEnvironment(), shell: process.platform === 'win32' },
  )
  const begin = error === undefined ? stdout.indexOf('[') : -1
  if (status !== 0 || begin < 0) throw new Error(`Can’t list the tests for this change:\n${error?.message ?? stderr}`)
  /** @type {{ file: string }[]} */
  const found = JSON.parse(stdout.slice(begin))
  const files = found.map(({ file }) => file.slice(root.length).replaceAll('\\', '/'))
  return byNearness([...new Set([...files, ...demoTestsOf(changed)])], changed)
}
