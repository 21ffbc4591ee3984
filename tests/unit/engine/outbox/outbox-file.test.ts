import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutboxFile } from '../../../../src/engine/outbox/outbox-file.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { target, waiting } from './support/test-queue.ts'

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
