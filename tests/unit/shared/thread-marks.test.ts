import { describe, expect, it } from 'vitest'
import { listThreadMarks, NO_THREAD_MARKS } from '../../../src/shared/thread-marks.ts'
import {
  toCachedList,
  isInScope,
  createMarkQuery,
  NO_FILTER,
  threadQueryKey,
} from '../../../src/shared/thread-query.ts'
import {
  applyStateChange,
  isChangedBy,
  getListTime,
  reverseStateChange,
  type ThreadState,
} from '../../../src/shared/thread-state.ts'

const IN_INBOX: ThreadState = { folder: 'inbox', read: true, labelIds: [] }
const SNOOZED: ThreadState = { ...IN_INBOX, folder: 'snoozed', marks: { ...NO_THREAD_MARKS, snoozedUntil: 5 } }
const BACK: ThreadState = { ...IN_INBOX, marks: { ...NO_THREAD_MARKS, back: { at: 5, why: 'snoozed' } } }

describe('local thread state', () => {
  it('detects whether a change has an effect', () => {
    expect(isChangedBy(IN_INBOX, { star: true })).toBe(true)
    expect(isChangedBy(IN_INBOX, { star: false })).toBe(false)
    expect(isChangedBy(IN_INBOX, { snoozedUntil: null })).toBe(false)
    expect(isChangedBy(SNOOZED, { snoozedUntil: 5 })).toBe(false)
    expect(isChangedBy(SNOOZED, { snoozedUntil: 6 })).toBe(true)
  })

  it('leaves threads without any alone', () => {
    expect(applyStateChange(IN_INBOX, { read: false })).toEqual({ ...IN_INBOX, read: false })
  })

  it('ends when the thread is moved', () => {
    expect(applyStateChange(SNOOZED, { folder: 'archive' })).toMatchObject({
      folder: 'archive',
      marks: NO_THREAD_MARKS,
    })
    expect(applyStateChange(BACK, { folder: 'archive' }).marks).toEqual(NO_THREAD_MARKS)
    expect(applyStateChange(BACK, { read: false }).marks).toEqual(BACK.marks)
    const muted = { ...IN_INBOX, folder: 'archive', marks: { ...NO_THREAD_MARKS, isMuted: true, isStarred: true } }
    expect(listThreadMarks(applyStateChange(muted, { folder: 'inbox' }).marks)).toEqual(['starred'])
    expect(listThreadMarks(applyStateChange(muted, { folder: 'trash' }).marks)).toEqual(['starred', 'muted'])
  })

  it('moves a snoozed or muted thread out of the inbox', () => {
    expect(applyStateChange(IN_INBOX, { snoozedUntil: 5 })).toMatchObject({ folder: 'snoozed' })
    expect(applyStateChange(SNOOZED, { snoozedUntil: null })).toMatchObject({ folder: 'inbox' })
    expect(applyStateChange(IN_INBOX, { mute: true })).toMatchObject({ folder: 'archive' })
    expect(applyStateChange({ ...IN_INBOX, folder: 'sent' }, { mute: true })).toMatchObject({ folder: 'sent' })
  })

  it.each([
    [IN_INBOX, { star: true }],
    [IN_INBOX, { snoozedUntil: 5 }],
    [IN_INBOX, { snoozedUntil: 5, folder: 'archive' }],
    [IN_INBOX, { mute: true }],
    [SNOOZED, { folder: 'trash' }],
    [SNOOZED, { snoozedUntil: null }],
    [SNOOZED, { snoozedUntil: 9 }],
    [{ ...IN_INBOX, folder: 'archive' }, { remindAt: 7 }],
  ])('of %j is restored when %j is undone', (state, change) => {
    const back = applyStateChange(applyStateChange(state, change), reverseStateChange(state, change))
    expect({ marks: NO_THREAD_MARKS, ...back }).toEqual({ marks: NO_THREAD_MARKS, ...state })
  })

  it('is a list of its own or a condition in another', () => {
    expect(toCachedList(createMarkQuery('i', 'starred'))).toEqual({ labelId: 'mark:starred' })
    expect(toCachedList({ ...createMarkQuery('i', 'starred'), marks: ['starred', 'muted'] })).toBeNull()
    expect(toCachedList({ ...createMarkQuery('i', 'starred'), labelIds: ['l'] })).toBeNull()
    expect(toCachedList({ ...NO_FILTER, inboxIds: ['i'], folders: ['inbox'], withoutMarks: ['muted'] })).toBeNull()
    expect(threadQueryKey(createMarkQuery('i', 'starred'))).not.toBe(threadQueryKey(createMarkQuery('i', 'muted')))
    const about = { hasOutbound: false, onServer: true }
    expect(isInScope(createMarkQuery('i', 'snoozed'), { ...SNOOZED, ...about })).toBe(true)
    expect(isInScope({ ...NO_FILTER, folders: ['inbox'] }, { ...SNOOZED, ...about })).toBe(false)
    expect(isInScope(NO_FILTER, { ...SNOOZED, ...about })).toBe(true)
    expect(isInScope({ ...NO_FILTER, withoutMarks: ['snoozed'] }, { ...SNOOZED, ...about })).toBe(false)
  })

  it('determines the time a list sorts by', () => {
    expect([getListTime({ receivedAt: 1 }), getListTime({ receivedAt: 1, listedAt: 4 })]).toEqual([1, 4])
  })
})
