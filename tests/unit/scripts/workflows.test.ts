import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/project.mjs'

const FOLDER = join(root, '.github', 'workflows')
const names = readdirSync(FOLDER)
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

/** Faults found by GitHub's own parser and published schema, including expressions and needs. */
const findFaults = async (content: string): Promise<readonly string[]> => {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

const WORKING = [
  'on: push',
  'permissions: {}',
  'jobs:',
  '  a:',
  '    runs-on: ubuntu-24.04',
  '    steps:',
  '      - run: "true"',
].join('\n')

describe('workflows', () => {
  it.each(names)('%s conforms to the published schema', async (name) => {
    expect(await findFaults(read(name))).toEqual([])
  })

  it.each([
    ['an unknown key of a step', 'run: "true"', 'runn: "true"', 'Unexpected value'],
    ['an unknown permission', 'permissions: {}', 'permissions: { contents: reed }', 'Unexpected value'],
    ['an unknown event', 'on: push', 'on: pushed', 'Unexpected value'],
    ['an unknown name in an expression', '"true"', '"${{ nobody.knows }}"', 'Unrecognized named-value'],
    [
      'jobs that all depend on another',
      '    steps',
      '    needs: b\n    steps',
      'at least one job with no dependencies',
    ],
    ['a truncated file', '    runs-on: ubuntu-24.04', '    runs-on: [', ''],
  ])('%s is reported', async (_, from, to, fault) => {
    expect(await findFaults(WORKING)).toEqual([])
    const faults = await findFaults(WORKING.replace(from, to))
    expect(faults.join('\n')).toContain(fault)
    expect(faults).not.toEqual([])
  })

  it.each(names)('%s grants rights per job and gives each a timeout', (name) => {
    const content = read(name)
    expect(content).toMatch(/^permissions: \{\}$/m)
    const jobs = content
      .slice(content.indexOf('\njobs:'))
      .split(/^ {2}(?=\w+:$)/m)
      .slice(1)
    expect(jobs.length).toBeGreaterThan(0)
    for (const job of jobs) {
      expect(job).toMatch(/^ {4}permissions:$/m)
      // Jobs of a called workflow have their own timeouts.
      if (!job.includes('\n    uses: ./')) expect(job).toMatch(/^ {4}timeout-minutes: \d+$/m)
    }
  })

  it.each(names)('%s pins each action to a commit, with its version', (name) => {
    const used = [...read(name).matchAll(/^.*\buses: (.*)$/gm)].map(([, action]) => action ?? '')
    const foreign = used.filter((action) => !action.startsWith('./'))
    expect(foreign.length).toBeGreaterThan(0)
    for (const action of foreign) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('never put event text into scripts', () => {
    const inScripts = /\$\{\{\s*(?:github\.(?:event|head_ref)|inputs)/
    for (const name of names) expect(read(name).replace(/github\.event_name/g, '')).not.toMatch(inScripts)
  })
})
