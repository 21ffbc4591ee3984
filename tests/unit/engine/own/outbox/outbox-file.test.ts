import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { OutboxFile } from '../../../../../src/engine/own/outbox/outbox-file.ts'
import { openOutbox, openOwnFile } from '../../../../support/own-file.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { target, waiting } from './support/test-queue.ts'

describe('an unchanged outbox', () => {
  it('opens without reading undo entries', async () => {
    const directory = temporaryDirectory()
    const own = openOwnFile(directory)
    const made = [{ id: 'change-1', changes: [{ ...target('folder'), before: 'inbox', after: 'archive' }] }]
    new OutboxFile(own).write([{ target: target('folder'), change: waiting('folder', 'archive') }], { made })
    await own.close()
    const prepare = vi.spyOn(Database.prototype, 'prepare')
    onTestFinished(() => prepare.mockRestore())
    const again = openOutbox(directory)
    expect([again.read().waiting, again.read().replacedIds]).toMatchObject([[{ field: 'folder' }], []])
    const all = prepare.mock.calls
      .map(([sql]) => sql)
      .filter((sql) => /SELECT \* FROM (?:made|old_values|rule_runs) ORDER/.test(sql))
    expect(all).toEqual([])
    expect(again.undoRecord('change-1')?.changes).toHaveLength(1)
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
    const outbox = openOutbox(temporaryDirectory())
    const made = many('a')
    outbox.write([], { made: [{ id: 'first', changes: made }] })
    expect(outbox.undoRecord('first')?.changes).toEqual(made)
    for (let time = 0; time < 40; time += 1) {
      outbox.write([], { made: [{ id: `time-${time}`, changes: many(`b${time}`) }] })
    }
    expect(outbox.undoRecord('first')?.changes).toBeUndefined()
    expect(outbox.undoRecord('time-39')?.changes).toHaveLength(10_000)
    expect(outbox.undoRecord('time-20')?.changes).toHaveLength(10_000)
  })
})

describe('rule runs', () => {
  const run = (rule: string, thread: string, at: number) => ({
    ...{ rule, scope: 'inbox-1', thread, email: 'email-1', at, changeId: 'change-1' },
    did: '{"labels":[],"folder":"archive","read":false}',
  })
  const made = [{ id: 'change-1', changes: [{ ...target('folder'), before: 'inbox', after: 'archive' }] }]
  const folder = async () => {
    const directory = temporaryDirectory()
    const own = openOwnFile(directory)
    const outbox = new OutboxFile(own)
    outbox.write([], { made, ruleRuns: [run('a', 'one', 1), run('b', 'one', 1)] })
    outbox.write([], { made: [], ruleRuns: [{ ...run('a', 'two', 2), changeId: null }] })
    // The first run on a message wins.
    outbox.write([], { made: [], ruleRuns: [{ ...run('a', 'one', 9), changeId: null }] })
    await own.close()
    return directory
  }
  const read = (directory: string) => {
    const { ruleRuns } = openOutbox(directory)
    return {
      done: ['one', 'two', 'three'].map((thread) =>
        ['a', 'b'].filter((rule) => ruleRuns.ofThread('inbox-1', thread).isDone(rule, 'email-1')),
      ),
      log: ruleRuns.log(null, null, 10).map(({ rule, thread, at, isUndoable }) => [rule, thread, at, isUndoable]),
    }
  }
  const whole = {
    done: [['a', 'b'], ['a'], []],
    log: [
      ['a', 'two', 2, false],
      ['b', 'one', 1, true],
      ['a', 'one', 1, true],
    ],
  }

  it('are kept across restarts, each rule once per message, newest first', async () => {
    expect(read(await folder())).toEqual(whole)
  })

  it('take nothing from the undo history', () => {
    const outbox = openOutbox(temporaryDirectory())
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
  })
})
