import { describe, expect, it } from 'vitest'
import { ViewerActivity, type ActivityLevel } from '../../../../src/engine/sync/viewer-activity.ts'

const watch = () => {
  const told: ActivityLevel[] = []
  return { told, watchers: new ViewerActivity((activity) => told.push(activity)) }
}

describe('the activity of all windows', () => {
  it('is that of the most active one, so that a hidden window slows no other', () => {
    const { told, watchers } = watch()
    watchers.see('one', 'focused')
    watchers.see('two', 'hidden')
    watchers.see('one', 'visible')
    watchers.see('two', 'focused')
    watchers.see('one', 'hidden')
    expect(told).toEqual(['focused', 'focused', 'visible', 'focused', 'focused'])
  })

  it('is hidden once the last window has gone without a word', () => {
    const { told, watchers } = watch()
    watchers.see('one', 'focused')
    watchers.see('two', 'visible')
    watchers.leave('one')
    watchers.leave('one')
    watchers.leave('three')
    watchers.leave('two')
    expect(told).toEqual(['focused', 'focused', 'visible', 'hidden'])
  })
})
