import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartupRecorder } from '../../../src/host/startup-recorder.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'linnet-start-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))
const start = (): StartupRecorder => new StartupRecorder(directory)

describe('failed starts', () => {
  it('ask the user after two', () => {
    expect(start()).toMatchObject({ hasFailed: false, wasCutOff: false })
    expect(start()).toMatchObject({ hasFailed: false, wasCutOff: true })
    expect(start()).toMatchObject({ hasFailed: true, wasCutOff: true })
    expect(statSync(join(directory, 'start.json')).mode & 0o777).toBe(0o600)
  })

  it('are forgotten after a success, even if Linnet is killed later', () => {
    start()
    start().succeed()
    expect(start()).toMatchObject({ hasFailed: false, wasCutOff: true })
    expect(start().hasFailed).toBe(false)
  })

  it('exclude an orderly exit', () => {
    start()
    start()
    const third = start()
    expect(third.hasFailed).toBe(true)
    third.close()
    expect(start()).toMatchObject({ hasFailed: false, wasCutOff: false })
  })

  it('include repeated crashes of window or engine, even with an orderly exit', () => {
    for (const _ of [1, 2]) {
      const started = start()
      started.succeed()
      started.fail()
      started.succeed()
      started.close()
    }
    expect(start()).toMatchObject({ hasFailed: true, wasCutOff: false })
  })

  it('are counted in a file that may be damaged or unwritable', () => {
    writeFileSync(join(directory, 'start.json'), '{"failed": "many"}')
    const started = start()
    expect(started.hasFailed).toBe(false)
    started.close()
    expect(readdirSync(directory)).toEqual([])

    const file = join(directory, 'a file')
    writeFileSync(file, '')
    const none = new StartupRecorder(file)
    none.succeed()
    expect(none.hasFailed).toBe(false)
  })
})
