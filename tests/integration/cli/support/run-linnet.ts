import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { jsonLineSchema } from '../../../../src/cli/json-lines.ts'
import { BUILT, root } from '../../../support/program.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export const LINNET = join(root, BUILT.linnet)

/** @param env added to the environment of the tests */
export const runLinnet = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runThrough(process.execPath, [LINNET, ...args], env)

/** Runs a shell line with `linnet` as the command. */
export const runInShell = (line: string): Promise<Ended> =>
  runThrough('bash', ['-c', `linnet() { '${process.execPath}' '${LINNET}' "$@"; }; ${line}`], {})

const runThrough = (command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })

/** Parses JSON output, one object a line. Each must match `linnet schema` and have no extra fields. */
export const jsonLines = ({ out }: Ended): readonly Readonly<Record<string, unknown>>[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value = JSON.parse(line) as Readonly<Record<string, unknown>>
      expect(jsonLineSchema.parse(value)).toEqual(value)
      return value
    })
