// The project's root, environment and Node. Plain JavaScript for Node 20 or later, without dependencies.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')

/** Environment whose PATH has the project's own Node 24 and tools first. */
export const projectEnvironment = () => {
  // Windows spells the variable `Path`; a second spelling would create a second variable.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: `${bin}${delimiter}${process.env[name] ?? ''}` }
}

export const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Prints to stderr, leaving stdout to the programs that are run. */
export const print = (line) => process.stderr.write(`${line}\n`)

/** Runs one of the project's commands. @returns its exit code */
export const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: projectEnvironment(),
    shell: process.platform === 'win32',
    ...options,
  })
  if (error !== undefined) print(`${command}: ${error.message}`)
  return status ?? 1
}
