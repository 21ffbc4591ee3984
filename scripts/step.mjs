// One step of `npm start` and `npm test`: a line that says what it does, one that says how far it is, and a file for all that its program prints.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { projectEnvironment, root, say } from './project.mjs'

const logFolder = join(root, 'out', '.log')
/** Lines of a failed program's output that are shown; the file has the rest. */
const SHOWN_LINES = 12
/** Milliseconds between two looks at how far a step is. */
const LOOK_MS = 1000
/** Seconds between two lines of progress where a line cannot be drawn over, as in a log of CI. */
const LINE_SECONDS = 10

/** Open the file that keeps what a program prints. @param {string} name @returns its path as a person types it, and its descriptor */
export const openStepLog = (name) => {
  mkdirSync(logFolder, { recursive: true })
  const path = join(logFolder, `${name}.log`)
  rmSync(path, { force: true })
  return { path, shown: relative(process.cwd(), path), descriptor: openSync(path, 'a') }
}

/**
 * Draws how far a step is: over one line of a terminal, else a line now and then.
 * @param {() => string} describe
 * @returns ends it, and leaves no line of it on a terminal
 */
const showProgress = (describe) => {
  const started = performance.now()
  const isTerminal = process.stderr.isTTY
  let nextLine = LINE_SECONDS
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000)
    const line = [describe(), `${seconds} s`].filter((part) => part !== '').join(', ')
    if (isTerminal) process.stderr.write(`\r\u001B[K  ${line}`)
    else if (seconds >= nextLine) {
      nextLine = seconds + LINE_SECONDS
      say(`  ${line}`)
    }
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    if (isTerminal) process.stderr.write('\r\u001B[K')
    return Math.round((performance.now() - started) / 1000)
  }
}

/**
 * Runs a program to its end without letting it write on the screen.
 * @param {object} step
 * @param {string} step.name of its log file
 * @param {string} step.words what is said before it begins
 * @param {string} step.command
 * @param {readonly string[]} step.args
 * @param {() => string} [step.describe] how far it is
 * @param {number} [step.limit] milliseconds after which it is ended
 * @returns {Promise<{ isDone: boolean, seconds: number, log: string, logFile: string }>} `log` is what it printed
 */
export const runStep = async ({ name, words, command, args, describe = () => '', limit }) => {
  say(words)
  const { path, shown, descriptor } = openStepLog(name)
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', descriptor, descriptor],
    env: projectEnvironment(),
    shell: process.platform === 'win32' && !isAbsolute(command),
    timeout: limit,
  })
  closeSync(descriptor)
  const endProgress = showProgress(describe)
  const [code, fault] = await new Promise((resolve) => {
    child.once('error', (error) => resolve([1, error.message]))
    child.once('exit', (ended) => resolve([ended ?? 1, '']))
  })
  const seconds = endProgress()
  return { isDone: code === 0, seconds, log: `${readFileSync(path, 'utf8')}${fault}`, logFile: shown }
}

/**
 * Says that a step failed, what its program said last, what to do, and where the rest is.
 * @param {string} what
 * @param {{ log: string, logFile: string }} step
 * @param {string} advice
 */
export const sayFailure = (what, { log, logFile }, advice) => {
  const last = log.trimEnd().split('\n').slice(-SHOWN_LINES)
  say(`\n${what}\n\n${last.map((line) => `  ${line}`).join('\n')}\n\n${advice}\nThe whole output is in ${logFile}.`)
}
