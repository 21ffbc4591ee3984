// The project's folder, environment and own Node. Plain JavaScript for any Node from 20 on, with nothing installed.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')

/** The environment in which every command finds the project's own Node 24 and tools first. */
export const projectEnvironment = () => {
  // Windows spells it `Path`; a second spelling would be a second variable.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: `${bin}${delimiter}${process.env[name] ?? ''}` }
}

/** The project's own Node. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Says something to the person without disturbing what a program prints to its standard output. */
export const say = (line) => process.stderr.write(`${line}\n`)

/** Runs one of the project's commands to its end. @returns its exit code */
export const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: projectEnvironment(),
    shell: process.platform === 'win32',
    ...options,
  })
  if (error !== undefined) say(`${command}: ${error.message}`)
  return status ?? 1
}
