import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CrashFiles } from '../../../src/host/crash-files.ts'
import { logLine } from '../../../src/shared/log.ts'

let dataDirectory: string
let time: number
const open = (lines: readonly string[] = ['one', 'two']) =>
  new CrashFiles(
    dataDirectory,
    { lastLines: () => lines },
    () => new Date(Date.UTC(2026, 10, 23, 12, 0, 0, (time += 1))),
  )
const folder = (): string => join(dataDirectory, 'crashes')

beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-crashes-'))
  time = 0
})
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }))

describe('crash files', () => {
  it('record what crashed, when and why, with the log, only for the user', () => {
    const files = open([`error engine: at ${dataDirectory}/accounts of pier@harbour.example`])
    files.write('engine', logLine`code ${1}`)
    expect(files.names()).toEqual(['2026-11-23T12-00-00-001Z-engine.txt'])
    const file = join(folder(), files.names()[0] ?? '')
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(
      /^Linnet [\d.]+.*: the engine ended unexpectedly\.\nWhen: 2026-11-23T12:00:00\.001Z\nWhy: code 1\n/,
    )
    expect(text).toContain('  error engine: at ')
    expect(text).not.toContain('harbour')
    expect(text).not.toContain(dataDirectory)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
  })

  it('are limited in number and size, keeping the newest', () => {
    const files = open(Array.from({ length: 40 }, () => 'x'.repeat(9_000)))
    for (let count = 0; count < 25; count += 1) files.write('window', logLine`crashed`)
    expect(files.names()).toHaveLength(20)
    expect(files.names()[0]).toBe('2026-11-23T12-00-00-006Z-window.txt')
    const sizes = files.names().map((name) => statSync(join(folder(), name)).size)
    expect(Math.max(...sizes)).toBe(32_768)
  })

  it('leave other files alone, and are skipped if the folder can’t be created', () => {
    mkdirSync(folder())
    writeFileSync(join(folder(), 'mine.txt'), 'mine')
    const files = open()
    for (let count = 0; count < 25; count += 1) files.write('app', logLine`killed`)
    expect(readdirSync(folder())).toContain('mine.txt')
    expect(files.names()).not.toContain('mine.txt')

    rmSync(folder(), { recursive: true })
    writeFileSync(folder(), 'a file')
    files.write('app', logLine`killed`)
    expect(files.names()).toEqual([])
  })
})
