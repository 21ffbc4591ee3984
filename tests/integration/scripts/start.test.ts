import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

/** Starts Linnet in the browser like `npm start`. @param before code to run first in the script's process */
const start = (before: string) => {
  const script = join(root, 'scripts', 'start.mjs')
  const args = ['--import', `data:text/javascript,${encodeURIComponent(before)}`, script]
  const child = spawn(process.execPath, [...args, '--browser', '--no-open', '--data-dir', temporaryDirectory()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const firstLine = new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  return { child, ended, firstLine, log: () => log }
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('exits with 1 and a message if Linnet crashes', async () => {
    // Only affects processes that the script starts.
    const { ended, log } = start("process.env.NODE_OPTIONS = '--import data:text/javascript,process.abort()'")
    expect(await ended).toBe(1)
    expect(log()).toContain('Linnet ended with SIGABRT.')
  })

  it('exits with 0 on request', async () => {
    const { child, ended, firstLine, log } = start('')
    await Promise.race([firstLine, ended])
    child.kill('SIGTERM')
    expect(await ended, log()).toBe(0)
  })
})
