import { describe, expect, it } from 'vitest'
import type { Change, ChangeSubject } from '../../../../../src/engine/own/outbox/change.ts'
import type { OutboxFile } from '../../../../../src/engine/own/outbox/outbox-file.ts'
import { threadStateRules } from '../../../../../src/engine/own/outbox/changes/thread-state.ts'
import { openFile, openQueue, stateOf, target } from './support/test-queue.ts'

const to = (wanted: string, id: string): Change => ({ ...target('folder'), id, wanted })
const idsOf = (subjects: readonly ChangeSubject[]): readonly string[] => subjects.map(({ id }) => id)

/** A queue whose changes wait, and a cache that can be made to fail. */
const open = (file: OutboxFile) => {
  const shown: (readonly string[])[] = []
  const fault: { now: Error | null } = { now: null }
  const opened = openQueue(
    file,
    {
      deliver: () => Promise.resolve({ store: () => undefined }),
      look: () => Promise.resolve(null),
      findMissing: () => Promise.resolve('nothing'),
      serverState: () => stateOf({ folder: 'inbox' }),
      show: (subjects) => {
        if (fault.now !== null) throw fault.now
        shown.push(idsOf(subjects))
      },
    },
    [threadStateRules],
  )
  return { ...opened, shown, fault }
}

describe('waiting changes', () => {
  it('are shown with the next change if the cache failed', () => {
    const { queue, shown, fault, failures } = open(openFile())
    fault.now = new Error('database or disk is full')
    queue.change([to('archive', 'thread-1')])
    expect(failures).toEqual([fault.now])
    expect(shown).toEqual([])
    fault.now = null
    queue.change([to('archive', 'thread-2')])
    expect(shown).toEqual([['thread-1', 'thread-2']])
    queue.change([to('archive', 'thread-3')])
    expect(shown.at(-1)).toEqual(['thread-3'])
  })

  it('are left to the next opening if the cache is damaged', () => {
    const { queue, shown, fault } = open(openFile())
    fault.now = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' })
    queue.change([to('archive', 'thread-1')])
    expect(shown).toEqual([])
    expect(queue.waiting.count()).toBe(1)
  })

  it('are all shown after a restart, with undone ones that may still be visible', () => {
    const file = openFile()
    const before = open(file)
    before.queue.change([to('archive', 'thread-1'), to('archive', 'thread-2')])
    before.fault.now = new Error('database or disk is full')
    before.queue.change([to('inbox', 'thread-1')])
    const { queue, shown } = open(file)
    queue.showAll()
    expect(shown).toEqual([['thread-1', 'thread-2']])
  })
})
