import { execFileSync, spawnSync } from 'node:child_process'

/** Whether Python is on this machine: what other programs read of a file is asked of it. */
export const hasPython = spawnSync('python3', ['-c', 'import mailbox, zipfile']).status === 0

/** Runs a program of Python's and reads the JSON that it prints. @param args are its `sys.argv[1:]` */
export const runPython = (program: string, ...args: readonly string[]): unknown =>
  JSON.parse(execFileSync('python3', ['-c', program, ...args], { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 }))
