// What failed, as it stands at the end of a log: names, files and the first lines of each error.
import { stripVTControlCharacters } from 'node:util'

/** Lines of one failure. */
const LINES_EACH = 40
/** Characters of all that is said. */
const CHARACTERS = 4000

/** @typedef {{ name: string, file: string, message: string }} Failure */

/**
 * @param {any} report what Vitest's JSON reporter wrote
 * @param {readonly { message: string }[]} [astray] errors outside of any test, as `astray-errors.mjs` writes them
 * @returns {Failure[]} its failed tests, and files that could not be read as tests
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
 * @param {any} report what Playwright's JSON reporter wrote
 * @returns {Failure[]} its tests that failed, or passed only when tried again, and its errors outside of any test
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

/** Lines where the project's own code stands, without those of the tools between them. */
const withoutTools = (/** @type {string} */ message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(?:node_modules|node:internal|<anonymous>\))/.test(line))

/**
 * The failures for the end of a log, short enough for all of them to be in it: each has its name and file, and as much of its
 * error as there is room for.
 * @param {readonly Failure[]} failures
 * @param {string} root the project's folder, which goes before no file's name
 * @returns {string} nothing where nothing failed
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
