import { describe, expect, it } from 'vitest'
import type { WaitingChange } from '../../../../../src/engine/own/outbox/change.ts'
import {
  buildLabelChanges,
  labelCreation,
  labelDeletion,
  buildLabelOverlay,
  labelSubject,
} from '../../../../../src/engine/own/outbox/changes/label.ts'
import { createWorld, INBOX, OLD } from './support/label-world.ts'
import { startQueue } from './support/test-queue.ts'

describe('label changes', () => {
  it('are sent as one request, or none if the label is deleted again', async () => {
    const { queue, held, sent } = createWorld(false, [])
    queue.change([labelCreation(INBOX, 'new', OLD)])
    queue.change(buildLabelChanges(INBOX, 'new', { name: 'New', color: '#222222' }))
    queue.change([labelCreation(INBOX, 'other', { name: 'Other', color: '#333333' })])
    queue.change([labelDeletion(INBOX, 'other')])
    startQueue(queue)
    await expect.poll(() => queue.waiting.count()).toBe(0)
    expect(sent).toEqual(['label'])
    expect([...held.values()]).toEqual([{ name: 'New', color: '#222222' }])
  })

  it('are visible before they are sent', () => {
    const waiting = (id: string, field: string, wanted: string): WaitingChange => ({
      ...labelSubject(INBOX, id),
      field,
      wanted,
      sending: null,
    })
    const { made, changes, deleted } = buildLabelOverlay([
      waiting('new', 'label', JSON.stringify(OLD)),
      waiting('label-1', 'name', 'Renamed'),
      waiting('label-2', 'label', ''),
    ])
    expect(made).toEqual([{ id: 'new', ...OLD }])
    expect(changes.get('label-1')).toEqual({ name: 'Renamed' })
    expect([...deleted]).toEqual(['label-2'])
  })
})
