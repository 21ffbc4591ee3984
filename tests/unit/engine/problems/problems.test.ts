import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openProblems, type Problems } from '../../../../src/engine/problems/problems.ts'
import type { ListReminder } from '../../../../src/engine/store/list-file.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const FORGETFUL: ListReminder = { stands: () => false, remember: () => undefined }
const open = (
  file: string,
  changed: () => void = () => undefined,
  failures: unknown[] = [],
  reminder = FORGETFUL,
): Problems => openProblems(file, changed, (thrown) => failures.push(thrown), reminder)
const aFile = (): string => join(temporaryDirectory(), 'problems.json')
const problem = (id: string, message = `Something about ${id}.`) => ({ id, code: 'storage_failed' as const, message })

describe('standing problems', () => {
  it('are kept from one start to the next, the same trouble once, until they are cleared', () => {
    const file = aFile()
    let changes = 0
    const first = open(file, () => (changes += 1))
    first.raise(problem('cache'))
    first.raise({ ...problem('outbox'), details: { changes: 3 } })
    first.raise(problem('cache', 'Again.'))
    expect(changes).toBe(3)
    const second = open(file)
    expect(second.list()).toEqual(first.list())
    expect(second.list().map(({ id, message }) => [id, message])).toEqual([
      ['outbox', 'Something about outbox.'],
      ['cache', 'Again.'],
    ])
    second.clear('cache')
    second.clear('outbox')
    expect(open(file).list()).toEqual([])
  })

  it('lose what a damaged file no longer says, keep what it still does, and tell that something is missing', () => {
    const file = aFile()
    const first = open(file)
    first.raise(problem('cache'))
    const [good] = first.list()
    writeFileSync(file, JSON.stringify([null, good, { id: '', code: 'storage_failed', message: 'x', at: 1 }, 7]))
    expect(open(file).list()).toMatchObject([{ id: 'cache' }, { id: 'problems-damaged' }])
    // Told until it is dismissed, like any other.
    expect(open(file).list()).toMatchObject([{ id: 'cache' }, { id: 'problems-damaged' }])
    open(file).clear('problems-damaged')
    expect(open(file).list()).toEqual([good])
    for (const text of ['\0\0\0', '', '{"problems":', '"text"', '{"problems":[]}']) {
      writeFileSync(file, text)
      expect(open(file).list()).toMatchObject([{ id: 'problems-damaged' }])
    }
    rmSync(file)
    mkdirSync(file)
    expect(open(file).list()).toMatchObject([{ id: 'problems-damaged' }])
  })

  it('are told to be missing where their file was deleted while any stood, and only then', () => {
    const file = aFile()
    let stands = false
    const reminder: ListReminder = {
      stands: () => stands,
      remember: (next) => {
        stands = next
      },
    }
    const start = (): Problems => open(file, undefined, undefined, reminder)
    expect(start().list()).toEqual([])
    start().raise(problem('outbox'))
    rmSync(file)
    expect(start().list()).toMatchObject([{ id: 'problems-damaged' }])
    start().clear('problems-damaged')
    expect(start().list()).toEqual([])
  })

  it('are read as an older Linnet wrote them', () => {
    const file = aFile()
    const entry = { ...problem('cache'), at: 7 }
    writeFileSync(file, JSON.stringify([entry]))
    expect(open(file).list()).toEqual([entry])
  })

  it('whatever byte of their file is another, are all there or told to be damaged', () => {
    const file = aFile()
    open(file).raise(problem('cache'))
    const sound = readFileSync(file)
    const before = open(file).list()
    for (let at = 0; at < sound.length; at += 1) {
      const bytes = Buffer.from(sound)
      bytes[at] = (sound[at] ?? 0) ^ (1 + (at % 255))
      writeFileSync(file, bytes)
      const now = open(file).list()
      if (JSON.stringify(now) !== JSON.stringify(before)) expect(now.at(-1)?.id).toBe('problems-damaged')
    }
  })

  it('are told even where they cannot be written down', () => {
    const file = aFile()
    mkdirSync(`${file}.next`)
    const failures: unknown[] = []
    const problems = open(file, () => undefined, failures)
    problems.raise(problem('cache'))
    expect(problems.list()).toHaveLength(1)
    expect(failures).toHaveLength(1)
  })

  it('are never more than a person reads', () => {
    const problems = open(aFile())
    for (let count = 0; count < 50; count += 1) problems.raise(problem(`p${count}`))
    expect(problems.list()).toHaveLength(20)
    expect(problems.list().at(-1)?.id).toBe('p49')
  })
})
