import { expect, it } from 'vitest'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'
import { openFile, openQueue, startQueue, stateOf, target } from './support/test-queue.ts'

const MINUTE = 60_000
const archived = { ...target('folder'), wanted: 'archive' }

/** A queue that has sent the change to the platform. */
const sendChange = async () => {
  const clock = createSteppedClock()
  const state = stateOf({ folder: 'inbox' })
  const reach = {
    deliver: () => Promise.resolve({ store: () => undefined }),
    ...{ look: () => Promise.resolve({ state, store: () => undefined }), serverState: () => state },
    findMissing: () => Promise.resolve('nothing' as const),
  }
  const { queue } = openQueue(openFile(), reach, undefined, clock)
  startQueue(queue)
  queue.change([archived])
  await expect.poll(() => queue.waiting.count()).toBe(0)
  return { queue, clock }
}

it('recognises the event of a sent change, however often it is read', async () => {
  const { queue } = await sendChange()
  expect(queue.causedEvent(archived, 'msg_1')).toBe(true)
  expect(queue.causedEvent(archived, 'msg_1')).toBe(true)
})

it.each([
  ['field', { ...archived, ...target('label:1') }],
  ['value', { ...archived, wanted: 'trash' }],
  ['thread', { ...archived, id: 'thread-2' }],
  ['inbox', { ...archived, scope: 'inbox-2' }],
])('does not claim the event of another %s', async (_, change) => {
  const { queue } = await sendChange()
  expect(queue.causedEvent(change, 'msg_1')).toBe(false)
})

it('claims one event for each time that it sent the change', async () => {
  const { queue } = await sendChange()
  queue.change([{ ...archived, before: 'inbox' }])
  await expect.poll(() => queue.waiting.count()).toBe(0)
  const claimed = ['msg_1', 'msg_2', 'msg_3'].map((eventId) => queue.causedEvent(archived, eventId))
  expect(claimed).toEqual([true, true, false])
})

it('claims no event ten minutes after the change was sent', async () => {
  const { queue, clock } = await sendChange()
  await clock.advance(10 * MINUTE + 1)
  expect(queue.causedEvent(archived, 'msg_1')).toBe(false)
})
