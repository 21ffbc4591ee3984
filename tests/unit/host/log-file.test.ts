import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLogFile, type LogFile } from '../../../src/host/log-file.ts'
import { logLine } from '../../../src/shared/log.ts'

let dataDirectory: string
let echoed: string[]
const logs = (): string => join(dataDirectory, 'logs')
const read = (name = 'linnet.log'): string => readFileSync(join(logs(), name), 'utf8')
const open = (givenLevel?: string, maxFileBytes?: number): LogFile =>
  openLogFile({
    dataDirectory,
    givenLevel,
    echo: (line) => echoed.push(line),
    ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
  })

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-log-'))
  echoed = []
})
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

describe('the log', () => {
  it('is on disk at once, with time and level, only for the user', () => {
    open().log('info', logLine`started`)
    expect(read()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info {2}started\n$/)
    expect(statSync(join(logs(), 'linnet.log')).mode & 0o777).toBe(0o600)
    expect(statSync(logs()).mode & 0o777).toBe(0o700)
  })

  it('restricts a file that was open to others', () => {
    mkdirSync(logs())
    writeFileSync(join(logs(), 'linnet.log'), '', { mode: 0o644 })
    open()
    expect(statSync(join(logs(), 'linnet.log')).mode & 0o777).toBe(0o600)
  })

  it('prints problems to the terminal, and nothing else', () => {
    const { log } = open('debug')
    for (const level of ['error', 'warn', 'info', 'debug'] as const) log(level, logLine`at ${level}`)
    expect(echoed).toEqual(['at error', 'at warn'])
    expect(read().split('\n')).toHaveLength(5)
    echoed = []
    for (const level of ['error', 'warn'] as const) open().log(level, logLine`again at ${level}`)
    // A user who just starts Linnet need not see warnings.
    expect(echoed).toEqual(['again at error'])
  })

  it('filters by its level, which is stored, or set for one start', () => {
    const first = open()
    first.log('debug', logLine`unseen`)
    first.setLevel('debug')
    first.log('debug', logLine`seen`)
    expect(read()).not.toContain('unseen')
    expect(read()).toContain('seen')
    expect(open('error').level()).toBe('error')
    expect(open('nonsense').level()).toBe('debug')
  })

  it('is limited to four files, and has the newest lines', () => {
    const { log, lastLines } = open('info', 1_000)
    for (let number = 0; number < 500; number += 1) log('info', logLine`line number ${number}`)
    expect(readdirSync(logs()).sort()).toEqual(['linnet.1.log', 'linnet.2.log', 'linnet.3.log', 'linnet.log'])
    for (const name of readdirSync(logs())) {
      expect(statSync(join(logs(), name)).size).toBeLessThanOrEqual(1_000)
      expect(statSync(join(logs(), name)).mode & 0o777).toBe(0o600)
    }
    expect(lastLines(3).map((line) => line.replace(/^.*line/, ''))).toEqual([
      ' number 497',
      ' number 498',
      ' number 499',
    ])
    // A restart continues the last file.
    open('info', 1_000).log('info', logLine`next`)
    expect(statSync(join(logs(), 'linnet.log')).size).toBeLessThanOrEqual(1_000)
  })

  it('continues after its folder was deleted', () => {
    const { log } = open()
    log('info', logLine`first`)
    rmSync(logs(), { recursive: true })
    log('info', logLine`second`)
    expect(read()).toMatch(/second\n$/)
  })

  it.each([
    ['a file is in the place of its folder', () => writeFileSync(logs(), '')],
    ['a folder is in the place of its file', () => mkdirSync(join(logs(), 'linnet.log'), { recursive: true })],
    [
      'the disk is full',
      () => {
        mkdirSync(logs())
        symlinkSync('/dev/full', join(logs(), 'linnet.log'))
      },
    ],
    [
      'the data folder is gone',
      () => {
        rmSync(dataDirectory, { recursive: true })
        writeFileSync(dataDirectory, '')
      },
    ],
  ])('stops nothing if it can’t be written: %s', (_case, spoil) => {
    spoil()
    const { log, lastLines, setLevel } = open()
    log('error', logLine`lost`)
    setLevel('debug')
    expect(echoed).toEqual(['lost'])
    expect(lastLines(5)).toEqual([])
  })
})
