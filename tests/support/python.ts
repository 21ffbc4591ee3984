import { execFileSync, spawnSync } from 'node:child_process'

/** True if Python is installed. Some tests check files with Python's own readers. */
export const hasPython = spawnSync('python3', ['-c', 'import mailbox, zipfile']).status === 0

/** Runs a Python program and parses the JSON it prints. @param args its `sys.argv[1:]` */
export const runPython = (program: string, ...args: readonly string[]): unknown =>
  JSON.parse(execFileSync('python3', ['-c', program, ...args], { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 }))
