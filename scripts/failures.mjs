import { stripVTControlCharacters } from 'node:util'

const LINES_EACH = 40
/** Maximum length of the summary, in characters. */
const CHARACTERS = 4000

/** @typedef {{ name: string, file: string, message: string }} Failure */

/**
 * @param {any} report output of Vitest's JSON reporter
 * @param {readonly { message: string }[]} [astray] errors outside any test, as written by `astray-errors.mjs`
 * @returns {Failure[]} failed tests, and files that could not be loaded
 */
export const failuresOfVitest = (report, astray = []) => [
  ...(report?.testResults ?? []).flatMap((/** @type {any} */ file) => {
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
    return failed.length === 0 && file.status === 'failed'
      ? [{ name: 'the file as a whole', file: file.name, message: file.message }]
      : failed.map((/** @type {any} */ test) => ({
          name: [...test.ancestorTitles, test.title].join(' › '),
          file: file.name,
          message: test.failureMessages.join('\n'),
        }))
  }),
  ...astray.map(({ message }) => ({ name: 'an error outside of any test', file: '', message })),
]

/**
 * @param {any} report output of Playwright's JSON reporter
 * @returns {Failure[]} failed and flaky tests, and errors outside any test
 */
export const failuresOfPlaywright = (report) => {
  const ofSuite = (/** @type {any} */ suite, /** @type {string[]} */ titles) => [
    ...(suite.suites ?? []).flatMap((/** @type {any} */ inner) => ofSuite(inner, [...titles, inner.title])),
    ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
      spec.tests
        .filter(({ status = '' }) => status === 'unexpected' || status === 'flaky')
        .map((/** @type {any} */ test) => ({
          name: [`[${test.projectName}]`, ...titles, spec.title].join(' '),
          file: `${spec.file}:${spec.line}`,
          message: (test.results.find(({ errors = [] }) => errors.length > 0)?.errors ?? [])
            .map(({ message = '' }) => message)
            .join('\n'),
        })),
    ),
  ]
  return [
    ...(report?.suites ?? []).flatMap((/** @type {any} */ file) => ofSuite(file, [])),
    ...(report?.errors ?? []).map(({ message = '' }) => ({ name: 'an error outside of any test', file: '', message })),
  ]
}

/** Removes blank lines, and stack frames inside tools. */
const withoutTools = (/** @type {string} */ message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(?:node_modules|node:internal|<anonymous>\))/.test(line))

/**
 * Fits all failures into the end of a log: each gets its name, file and an equal share of the space for its error.
 * @param {readonly Failure[]} failures
 * @param {string} root project root, stripped from file names
 * @returns {string} empty if nothing failed
 */
export const describeFailures = (failures, root) => {
  if (failures.length === 0) return ''
  const short = (/** @type {string} */ text) => text.replaceAll(`file://${root}`, '').replaceAll(root, '')
  const room = Math.max(120, Math.floor(CHARACTERS / failures.length))
  const texts = failures.map(({ name, file, message }) => {
    const lines = withoutTools(short(message)).slice(0, LINES_EACH)
    const head = `✗ ${name}${file === '' ? '' : ` (${short(file)})`}`
    return [head, ...lines.map((line) => `    ${line}`)].join('\n').slice(0, room)
  })
  return texts.join('\n').slice(0, CHARACTERS)
}
