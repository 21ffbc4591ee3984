// One step of `npm start` and `npm test`: prints its name and progress, and logs its program's output to a file.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { projectEnvironment, root, print } from './project.mjs'

const logFolder = join(root, 'out', '.log')
/** Lines of a failed program's output to print; the log has the rest. */
const SHOWN_LINES = 12
const LOOK_MS = 1000
/** Seconds between progress lines where a line can't be redrawn, such as in CI logs. */
const LINE_SECONDS = 10

/** Opens a log file. @param {string} name @returns its path, that path as a user types it, and its descriptor */
export const openStepLog = (name) => {
  mkdirSync(logFolder, { recursive: true })
  const path = join(logFolder, `${name}.log`)
  rmSync(path, { force: true })
  return { path, shown: relative(process.cwd(), path), descriptor: openSync(path, 'a') }
}

/**
 * Shows progress. @param {() => string} describe @returns a function that stops it, clears the line, and returns the
 * elapsed seconds
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
      print(`  ${line}`)
    }
  }, LOOK_MS)
  return () => {
    clearInterval(timer)
    if (isTerminal) process.stderr.write('\r\u001B[K')
    return Math.round((performance.now() - started) / 1000)
  }
}

/**
 * Runs a program with its output in a log file.
 * @param {object} step
 * @param {string} step.name name of the log file
 * @param {string} step.words message printed before the program starts
 * @param {string} step.command
 * @param {readonly string[]} step.args
 * @param {() => string} [step.describe] progress
 * @param {number} [step.limit] timeout in milliseconds
 * @returns {Promise<{ isDone: boolean, seconds: number, log: string, logFile: string }>} `log` is the program's output
 */
export const runStep = async ({ name, words, command, args, describe = () => '', limit }) => {
  print(words)
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

/** Reports a failed step. @param {string} what @param {{ log: string, logFile: string }} step @param {string} advice */
export const printFailure = (what, { log, logFile }, advice) => {
  const last = log.trimEnd().split('\n').slice(-SHOWN_LINES)
  print(`\n${what}\n\n${last.map((line) => `  ${line}`).join('\n')}\n\n${advice}\nThe whole output is in ${logFile}.`)
}
