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

describe('workflows', () => {
  it.each(names)('%s conforms to the published schema', async (name) => {
    expect(await findFaults(read(name))).toEqual([])
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
