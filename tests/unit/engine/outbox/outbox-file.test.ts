import { rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { intents } from '../../../../src/engine/outbox/migrations/0001-intents.ts'
import { generations } from '../../../../src/engine/outbox/migrations/0002-generations.ts'
import { openOutboxFile } from '../../../../src/engine/outbox/outbox-file.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { target, waiting } from './support/test-queue.ts'

const APPLICATION_ID = 0x4c4e_4f62

/** A file as a version of Linnet before typed changes left it, with what it had not sent. */
const leaveOldFile = (file: string, version: 1 | 2): void => {
  const database = new Database(file)
  database.exec(intents.sql)
  if (version === 2) database.exec(generations.sql)
  database.pragma(`user_version = ${version}`)
  database.pragma(`application_id = ${APPLICATION_ID}`)
  const rows = [waiting('folder', 'archive', 'archive'), waiting('label:a', 'true')]
  for (const { kind, scope, id, field, wanted, sending } of rows) {
    database
      .prepare('INSERT INTO intents (kind, scope, id, field, wanted, sending) VALUES (?, ?, ?, ?, ?, ?)')
      .run(kind, scope, id, field, wanted, sending)
    const digest = crc32(JSON.stringify([kind, scope, id, field, wanted, sending]))
    if (version === 2) database.prepare('UPDATE intents SET digest = ? WHERE field = ?').run(digest, field)
  }
  const steps = [{ ...target('folder'), before: 'inbox', after: 'archive' }]
  database.prepare('INSERT INTO changes (id, steps) VALUES (?, ?)').run('change-1', JSON.stringify(steps))
  if (version === 2) {
    database.exec('INSERT INTO version_stamp (version) VALUES (2); UPDATE state SET generation = 7, pending = 2')
  }
  database.close()
}

describe('an outbox of an older version', () => {
  it.each([1, 2] as const)('keeps what it had not sent, and what can be undone (version %i)', (version) => {
    const file = join(temporaryDirectory(), 'outbox.sqlite')
    leaveOldFile(file, version)
    if (version === 2) leaveOldFile(file.replace('.sqlite', '-second.sqlite'), 2)
    const { outbox, harm } = openOutboxFile(file)
    expect(harm).toBe('none')
    expect(outbox.waiting()).toEqual([waiting('folder', 'archive', 'archive'), waiting('label:a', 'true')])
    expect(outbox.madeChanges('change-1')).toEqual([{ ...target('folder'), before: 'inbox', after: 'archive' }])
    outbox.close()
    const again = openOutboxFile(file)
    expect([again.harm, again.outbox.waiting()]).toMatchObject(['none', [{ field: 'folder' }, { field: 'label:a' }]])
    again.outbox.close()
  })
})

describe('an outbox that is as it was left', () => {
  it('is opened without a look at what can be undone and at what large changes are made of', () => {
    const file = join(temporaryDirectory(), 'outbox.sqlite')
    const { outbox } = openOutboxFile(file)
    outbox.writeChange(
      'change-1',
      [{ ...target('folder'), before: 'inbox', after: 'archive' }],
      [{ target: target('folder'), change: waiting('folder', 'archive') }],
    )
    outbox.close()
    const prepare = vi.spyOn(Database.prototype, 'prepare')
    onTestFinished(() => prepare.mockRestore())
    const again = openOutboxFile(file)
    expect([again.outbox.waiting(), again.outbox.replacedIds()]).toMatchObject([[{ field: 'folder' }], []])
    const all = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /SELECT \* FROM (?:made|parts) ORDER/.test(sql))
    expect(all).toEqual([])
    expect(again.outbox.madeChanges('change-1')).toHaveLength(1)
    again.outbox.close()
  })
})

describe('the second file of an outbox', () => {
  it('catches up once it can be written again, so that the first one can be lost', () => {
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
    expect([again.harm, again.outbox.waiting().map(({ field }) => field)]).toEqual(['mended', fields])
    again.outbox.close()
  })
})

describe('what can be undone', () => {
  const many = (name: string) =>
    Array.from({ length: 10_000 }, (_, index) => ({
      ...target('folder'),
      id: `${name}-${String(index).padStart(36, '0')}`,
      before: 'inbox',
      after: 'archive',
    }))

  it('is kept of 10,000 threads as of one, and the oldest makes room', () => {
    const { outbox } = openOutboxFile(join(temporaryDirectory(), 'outbox.sqlite'))
    const made = many('a')
    outbox.writeChange('first', made, [])
    expect(outbox.madeChanges('first')).toEqual(made)
    for (let time = 0; time < 40; time += 1) outbox.writeChange(`time-${time}`, many(`b${time}`), [])
    expect(outbox.madeChanges('first')).toBeUndefined()
    expect(outbox.madeChanges('time-39')).toHaveLength(10_000)
    expect(outbox.madeChanges('time-20')).toHaveLength(10_000)
    outbox.close()
  })
})
