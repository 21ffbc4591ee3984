import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutboxFile } from '../../../../../src/engine/own/outbox/outbox-file.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { target, waiting } from './support/test-queue.ts'

describe('an unchanged outbox', () => {
  it('opens without reading undo entries or large changes', () => {
    const file = join(temporaryDirectory(), 'outbox.sqlite')
    const { outbox } = openOutboxFile(file)
    const made = [{ id: 'change-1', changes: [{ ...target('folder'), before: 'inbox', after: 'archive' }] }]
    outbox.write([{ target: target('folder'), change: waiting('folder', 'archive') }], { made })
    outbox.close()
    const prepare = vi.spyOn(Database.prototype, 'prepare')
    onTestFinished(() => prepare.mockRestore())
    const again = openOutboxFile(file)
    expect([again.outbox.read().waiting, again.outbox.read().replacedIds]).toMatchObject([[{ field: 'folder' }], []])
    const all = prepare.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => /SELECT \* FROM (?:made|parts|rule_runs) ORDER/.test(sql))
    expect(all).toEqual([])
    expect(again.outbox.undoRecord('change-1')?.changes).toHaveLength(1)
    again.outbox.close()
  })
})

describe('the second file of an outbox', () => {
  it('catches up once writable, so that the first can be lost', () => {
    const file = join(temporaryDirectory(), 'outbox.sqlite')
    const prepare = vi.spyOn(Database.prototype, 'prepare')
    onTestFinished(() => prepare.mockRestore())
    const { outbox } = openOutboxFile(file)
    const second = prepare.mock.contexts.find(
      (opened) => opened instanceof Database && opened.name.endsWith('-second.sqlite'),
    ) as Database.Database
    const fields = ['label:a', 'label:b', 'label:c']
    for (const field of fields) {
      second.pragma(`query_only = ${Number(field === 'label:b')}`)
      outbox.write([{ target: target(field), change: waiting(field, 'true') }])
    }
    outbox.close()
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
    const again = openOutboxFile(file)
    expect([again.damage, again.outbox.read().waiting.map(({ field }) => field)]).toEqual(['repaired', fields])
    again.outbox.close()
  })
})

describe('undo entries', () => {
  const many = (name: string) =>
    Array.from({ length: 10_000 }, (_, index) => ({
      ...target('folder'),
      id: `${name}-${String(index).padStart(36, '0')}`,
      before: 'inbox',
      after: 'archive',
    }))

  it('cost the same for 10,000 threads as for one, and drop the oldest', () => {
    const { outbox } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
    const made = many('a')
    outbox.write([], { made: [{ id: 'first', changes: made }] })
    expect(outbox.undoRecord('first')?.changes).toEqual(made)
    for (let time = 0; time < 40; time += 1) {
      outbox.write([], { made: [{ id: `time-${time}`, changes: many(`b${time}`) }] })
    }
    expect(outbox.undoRecord('first')?.changes).toBeUndefined()
    expect(outbox.undoRecord('time-39')?.changes).toHaveLength(10_000)
    expect(outbox.undoRecord('time-20')?.changes).toHaveLength(10_000)
    outbox.close()
  })
})

describe('the user’s lists', () => {
  const folder = () => {
    const first = join(temporaryDirectory(), 'outbox.sqlite')
    const second = first.replace('.sqlite', '-second.sqlite')
    const open = () => {
      const { outbox, damage } = openOutboxFile(first)
      const found = { damage, searches: outbox.list('searches'), links: outbox.list('links') }
      outbox.close()
      return found
    }
    const { outbox } = openOutboxFile(first)
    outbox.writeList('links', ['1'])
    outbox.writeList('searches', ['"b"', '"a"', '"c"'])
    outbox.writeList('searches', ['"b"', '"a"'])
    outbox.close()
    return { first, second, open, whole: { searches: ['"b"', '"a"'], links: ['1'] } }
  }
  const remove = (file: string): void => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true }))

  it('keep their order across restarts, in files only their owner reads', () => {
    const { first, second, open, whole } = folder()
    expect(open()).toEqual({ damage: 'none', ...whole })
    expect([first, second].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
  })

  it('are on disk as soon as they are written', () => {
    const { first, whole } = folder()
    const { outbox } = openOutboxFile(first)
    outbox.writeList('searches', ['"d"'])
    const copy = join(temporaryDirectory(), 'outbox.sqlite')
    for (const file of ['', '-second'].map((name) => first.replace('.sqlite', `${name}.sqlite`))) {
      for (const end of ['', '-wal']) {
        const there = `${file}${end}`
        if (existsSync(there))
          copyFileSync(there, there.replace(first.replace('.sqlite', ''), copy.replace('.sqlite', '')))
      }
    }
    outbox.close()
    const after = openOutboxFile(copy)
    expect([after.damage, after.outbox.list('searches'), after.outbox.list('links')]).toEqual([
      'none',
      ['"d"'],
      whole.links,
    ])
    after.outbox.close()
  })

  it.each(['first', 'second'] as const)('survive damage to or loss of the %s file, reported once', (which) => {
    for (const damage of [remove, (file: string) => writeFileSync(file, 'a letter to nobody')]) {
      const files = folder()
      damage(files[which])
      expect(files.open()).toEqual({ damage: 'repaired', ...files.whole })
      expect(files.open()).toEqual({ damage: 'none', ...files.whole })
    }
  })

  it('survive any changed byte of an entry through the other file', () => {
    const files = folder()
    const bytes = readFileSync(files.first)
    const at = bytes.indexOf('searches"b"')
    expect(at).toBeGreaterThan(0)
    for (const offset of [0, 'searches'.length + 1]) {
      const broken = Buffer.from(bytes)
      broken[at + offset] = (bytes[at + offset] ?? 0) ^ 3
      writeFileSync(files.first, broken)
      expect(files.open()).toEqual({ damage: 'repaired', ...files.whole })
    }
  })

  it('keep what either file has if both are damaged', () => {
    const files = folder()
    for (const file of [files.first, files.second]) {
      const bytes = readFileSync(file)
      const entry = bytes.indexOf('searches"b"')
      bytes.write('x', entry + 'searches"'.length)
      writeFileSync(file, bytes)
    }
    const found = files.open()
    expect(found.damage).toBe('lost')
    expect(new Set([...found.searches, ...found.links])).toEqual(new Set(['"a"', '1']))
    expect(files.open().damage).toBe('none')
  })

  it('stay unchanged if the disk is full', () => {
    const { first, whole } = folder()
    const { outbox } = openOutboxFile(first)
    expect(() => outbox.writeList('searches', [null as unknown as string])).toThrow()
    expect(outbox.list('searches')).toEqual(whole.searches)
    outbox.close()
  })
})

describe('rule runs', () => {
  const run = (rule: string, thread: string, at: number) => ({
    ...{ rule, scope: 'inbox-1', thread, email: 'email-1', at, changeId: 'change-1' },
    did: '{"labels":[],"folder":"archive","read":false}',
  })
  const made = [{ id: 'change-1', changes: [{ ...target('folder'), before: 'inbox', after: 'archive' }] }]
  const folder = () => {
    const first = join(temporaryDirectory(), 'outbox.sqlite')
    const { outbox } = openOutboxFile(first)
    outbox.write([], { made, ruleRuns: [run('a', 'one', 1), run('b', 'one', 1)] })
    outbox.write([], { made: [], ruleRuns: [{ ...run('a', 'two', 2), changeId: null }] })
    // The first run on a message wins.
    outbox.write([], { made: [], ruleRuns: [{ ...run('a', 'one', 9), changeId: null }] })
    outbox.close()
    return first
  }
  const read = (file: string) => {
    const { outbox, damage } = openOutboxFile(file)
    const found = {
      damage,
      done: ['one', 'two', 'three'].map((thread) =>
        ['a', 'b'].filter((rule) =>
          outbox.ruleRuns.ofThread('inbox-1', thread).isDone(rule, { id: 'email-1', receivedAt: 99 }),
        ),
      ),
      log: outbox.ruleRuns
        .log(null, null, 10)
        .map(({ rule, thread, at, isUndoable }) => [rule, thread, at, isUndoable]),
    }
    outbox.close()
    return found
  }
  const whole = {
    done: [['a', 'b'], ['a'], []],
    log: [
      ['a', 'two', 2, false],
      ['b', 'one', 1, true],
      ['a', 'one', 1, true],
    ],
  }

  it('are kept across restarts, each rule once per message, newest first', () => {
    expect(read(folder())).toEqual({ damage: 'none', ...whole })
  })

  it.each(['', '-second'])('survive the loss of one of the two files (%s)', (which) => {
    const first = folder()
    for (const end of ['', '-wal', '-shm']) rmSync(first.replace('.sqlite', `${which}.sqlite${end}`), { force: true })
    expect(read(first)).toEqual({ damage: 'repaired', ...whole })
  })

  it('are merged from two damaged files', () => {
    const first = folder()
    const second = first.replace('.sqlite', '-second.sqlite')
    for (const [file, rule] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      const database = new Database(file)
      database.prepare("DELETE FROM rule_runs WHERE rule = ? AND thread = 'one'").run(rule)
      database.close()
    }
    expect(read(first)).toMatchObject({ damage: 'lost', done: whole.done })
  })

  it('take nothing from the undo history', () => {
    const { outbox } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
    outbox.write([], { made: [{ id: 'own', changes: made[0]?.changes ?? [] }] })
    for (let at = 0; at < 12; at += 1) {
      const each = Array.from({ length: 50 }, (_, index) => `change-${at}-${index}`)
      outbox.write([], {
        made: each.map((id) => ({ id, changes: made[0]?.changes ?? [] })),
        ruleRuns: each.map((id) => ({ ...run('a', id, at), changeId: id })),
      })
    }
    expect(outbox.undoRecord('own')?.changes).toHaveLength(1)
    expect(outbox.undoRecord('change-0-0')?.changes).toBeUndefined()
    expect(outbox.undoRecord('change-11-49')?.changes).toHaveLength(1)
    outbox.close()
  })
})
