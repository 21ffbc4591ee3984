import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/project.mjs'

const FOLDER = join(root, '.github', 'workflows')
const names = readdirSync(FOLDER)
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

/** What GitHub's own parser, by the schema that it publishes with it, has against a workflow; expressions and needs included. */
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

describe('the workflows', () => {
  it.each(names)('%s is one by the published schema', async (name) => {
    expect(await findFaults(read(name))).toEqual([])
  })

  it.each([
    ['a step of nothing known', 'run: "true"', 'runn: "true"', 'Unexpected value'],
    ['a right that there is not', 'permissions: {}', 'permissions: { contents: reed }', 'Unexpected value'],
    ['an event that there is not', 'on: push', 'on: pushed', 'Unexpected value'],
    ['an expression of nothing known', '"true"', '"${{ nobody.knows }}"', 'Unrecognized named-value'],
    ['jobs that all wait for another', '    steps', '    needs: b\n    steps', 'at least one job with no dependencies'],
    ['half a file', '    runs-on: ubuntu-24.04', '    runs-on: [', ''],
  ])('%s is found', async (_, from, to, fault) => {
    expect(await findFaults(WORKING)).toEqual([])
    const faults = await findFaults(WORKING.replace(from, to))
    expect(faults.join('\n')).toContain(fault)
    expect(faults).not.toEqual([])
  })

  it.each(names)('%s gives no right to all jobs, and each job an end', (name) => {
    const content = read(name)
    expect(content).toMatch(/^permissions: \{\}$/m)
    const jobs = content
      .slice(content.indexOf('\njobs:'))
      .split(/^ {2}(?=\w+:$)/m)
      .slice(1)
    expect(jobs.length).toBeGreaterThan(0)
    for (const job of jobs) {
      expect(job).toMatch(/^ {4}permissions:$/m)
      // The jobs of another workflow have ends of their own.
      if (!job.includes('\n    uses: ./')) expect(job).toMatch(/^ {4}timeout-minutes: \d+$/m)
    }
  })

  it.each(names)('%s names each action by its commit, and says which version that is', (name) => {
    const used = [...read(name).matchAll(/^.*\buses: (.*)$/gm)].map(([, action]) => action ?? '')
    const foreign = used.filter((action) => !action.startsWith('./'))
    expect(foreign.length).toBeGreaterThan(0)
    for (const action of foreign) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('run no text of strangers: what an event says is no part of a script', () => {
    const inScripts = /\$\{\{\s*(?:github\.(?:event|head_ref)|inputs)/
    for (const name of names) expect(read(name).replace(/github\.event_name/g, '')).not.toMatch(inScripts)
  })
})
