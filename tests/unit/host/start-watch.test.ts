import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchStart } from '../../../src/host/start-watch.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'linnet-start-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('starts that fail', () => {
  it('are two before a person is asked', () => {
    expect(watchStart(directory)).toMatchObject({ hasFailed: false, wasCutOff: false })
    expect(watchStart(directory)).toMatchObject({ hasFailed: false, wasCutOff: true })
    expect(watchStart(directory)).toMatchObject({ hasFailed: true, wasCutOff: true })
    expect(statSync(join(directory, 'start.json')).mode & 0o777).toBe(0o600)
  })

  it('are forgotten once one succeeds, though Linnet is killed later', () => {
    watchStart(directory)
    watchStart(directory).succeed()
    expect(watchStart(directory)).toMatchObject({ hasFailed: false, wasCutOff: true })
    expect(watchStart(directory).hasFailed).toBe(false)
  })

  it('are none where Linnet is closed in order', () => {
    watchStart(directory)
    watchStart(directory)
    const third = watchStart(directory)
    expect(third.hasFailed).toBe(true)
    third.close()
    expect(watchStart(directory)).toMatchObject({ hasFailed: false, wasCutOff: false })
  })

  it('are those in which the window or the engine keeps ending, also where Linnet is then closed in order', () => {
    for (const _ of [1, 2]) {
      const start = watchStart(directory)
      start.succeed()
      start.fail()
      start.succeed()
      start.close()
    }
    expect(watchStart(directory)).toMatchObject({ hasFailed: true, wasCutOff: false })
  })

  it('are counted by a file that may be damaged, or not be written at all', () => {
    writeFileSync(join(directory, 'start.json'), '{"failed": "many"}')
    const start = watchStart(directory)
    expect(start.hasFailed).toBe(false)
    start.close()
    expect(readdirSync(directory)).toEqual([])

    const file = join(directory, 'a file')
    writeFileSync(file, '')
    const none = watchStart(file)
    none.succeed()
    expect(none.hasFailed).toBe(false)
  })
})
