import { describe, expect, it } from 'vitest'
import { describeFailures, failuresOfPlaywright, failuresOfVitest } from '../../../scripts/failures.mjs'

const ROOT = '/work/main/'
const failure = (name: string, message: string) => ({ name, file: `${ROOT}tests/${name}.test.ts`, message })

describe('failure summary of a log', () => {
  it('covers failed tests, unreadable files and errors outside tests', () => {
    const test = (title: string, status: string, ...failureMessages: readonly string[]) => ({
      ancestorTitles: ['a key', 'of another team'],
      title,
      status,
      failureMessages,
    })
    const report = {
      testResults: [
        { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [test('is taken', 'passed')] },
        {
          name: 'b.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [test('is read', 'passed'), test('is refused', 'failed', 'Still offline.', 'Gone.')],
        },
        { name: 'c.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
        { name: 'd.test.ts', status: 'passed', message: '', assertionResults: [test('is shown', 'skipped')] },
      ],
    }
    expect(failuresOfVitest(report, [{ message: 'late' }])).toEqual([
      { name: 'the file as a whole', file: 'a.test.ts', message: '' },
      { name: 'a key › of another team › is refused', file: 'b.test.ts', message: 'Still offline.\nGone.' },
      { name: 'the file as a whole', file: 'c.test.ts', message: 'Cannot find module' },
      { name: 'an error outside of any test', file: '', message: 'late' },
    ])
    expect(failuresOfVitest(null)).toEqual([])
  })

  it('covers end-to-end tests with their host, and flaky ones', () => {
    const spec = (title: string, status: string, ...errors: readonly string[]) => ({
      title,
      file: 'marks.spec.ts',
      line: 7,
      tests: [
        {
          projectName: 'browser',
          status,
          results: [{ errors: errors.map((message) => ({ message })) }, { errors: [] }],
        },
      ],
    })
    const report = {
      suites: [
        {
          title: 'marks.spec.ts',
          specs: [spec('a mark', 'expected'), spec('a row', 'unexpected', 'no box', 'no row')],
          suites: [{ title: 'narrow', specs: [spec('glides', 'flaky', 'slow'), spec('rests', 'skipped')] }],
        },
      ],
      errors: [{ message: 'a worker ended' }],
    }
    expect(failuresOfPlaywright(report)).toEqual([
      { name: '[browser] narrow glides', file: 'marks.spec.ts:7', message: 'slow' },
      { name: '[browser] a row', file: 'marks.spec.ts:7', message: 'no box\nno row' },
      { name: 'an error outside of any test', file: '', message: 'a worker ended' },
    ])
    expect(failuresOfPlaywright(null)).toEqual([])
  })

  it('shows only the project’s own lines, without colours and the root folder', () => {
    const message = [
      '\u001B[31mexpected 1 to be 2\u001B[39m',
      `    at ${ROOT}tests/a.test.ts:3:4`,
      `    at file://${ROOT}tests/support/b.ts:5:6`,
      `    at file://${ROOT}node_modules/vitest/dist/run.js:1695:35`,
      '    at node:internal/process/task_queues:95:5',
      '    at new Promise (<anonymous>)',
    ].join('\n')
    expect(describeFailures([failure('a', message)], ROOT)).toBe(
      [
        '✗ a (tests/a.test.ts)',
        '    expected 1 to be 2',
        '        at tests/a.test.ts:3:4',
        '        at tests/support/b.ts:5:6',
      ].join('\n'),
    )
    expect(describeFailures([], ROOT)).toBe('')
  })

  it('is limited to forty lines each, with room for every name', () => {
    const long = Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n')
    expect(describeFailures([failure('one', long)], ROOT).split('\n')).toHaveLength(41)
    const ten = Array.from({ length: 10 }, (_, index) => failure(`number-${index}`, long.repeat(9)))
    const text = describeFailures(ten, ROOT)
    expect(text.length).toBeLessThanOrEqual(4000)
    for (const { name } of ten) expect(text).toContain(`✗ ${name} (tests/${name}.test.ts)\n    line 0\n`)
  })
})
