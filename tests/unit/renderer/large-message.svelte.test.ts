// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import {
  canResend,
  canStopSending,
  describeSending,
  describeDraftState,
  describeUpload,
} from '../../../src/renderer/features/writing/describe-draft.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import type { Draft, DraftState } from '../../../src/shared/drafts.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const CLOCK = { now: 0, style: { hour12: false, order: 'dmy' } as never }
const SENDING: DraftState = { kind: 'sending', mayHaveLeft: true }
const BROKEN: DraftState = {
  kind: 'refused',
  reason: { field: 'message', message: 'The line broke twice.', isLineBroken: true },
}
const at = (done: number, state: DraftState = SENDING) => ({ state, upload: { done, total: 25_000_000 } })

describe('large message', () => {
  it('shows its progress, and is complete only once the platform confirms', () => {
    expect(describeDraftState(at(10_500_000), true, CLOCK)).toBe('Sending… 42% of 25 MB')
    expect(describeDraftState(at(10_500_000, { kind: 'sending', mayHaveLeft: false }), true, CLOCK)).toBe(
      'Sending… 42% of 25 MB',
    )
    expect(describeUpload(at(25_000_000))).toBe('99% of 25 MB')
    expect(describeUpload(at(10_500_000, { kind: 'open' }))).toBeNull()
    expect(describeSending([at(10_000_000), at(5_000_000), at(1, { kind: 'open' })])).toBe('Sending 30% of 50 MB')
    expect(describeSending([{ state: SENDING, upload: null }])).toBeNull()
  })

  it('can be stopped until fully uploaded, and resent after a broken connection', () => {
    expect([at(1), at(25_000_000), { state: SENDING, upload: null }].map(canStopSending)).toEqual([true, false, false])
    const refused: DraftState = { kind: 'refused', reason: { field: 'to', message: 'Nobody.' } }
    expect([BROKEN, refused].map((state) => canResend({ state }))).toEqual([true, false])
  })
})

const open = async (first: DraftState) => {
  let state = first
  const draft = (): Draft => ({
    ...{ id: 'draft-1', inboxId: INBOX.id, kind: 'new', target: null, to: [], subject: 'The plans', snippet: '' },
    ...{
      updatedAt: 1,
      files: 1,
      isOurs: true,
      isSynced: true,
      hasConflict: false,
      notKept: null,
      upload: null,
      remindAt: null,
    },
    ...{ theirs: null, original: null, content: { ...createEmptyContent(), subject: 'The plans' }, revision: 1, state },
  })
  let isChanged = false
  const window = await openWindow(inbox(null), ending.signal, {
    'draft.list': () => [draft()],
    'draft.open': () => draft(),
    'draft.sendAgain': () => {
      if (isChanged) throw new ProblemError({ code: 'conflict', message: 'This message was changed.' })
      state = { kind: 'sending', mayHaveLeft: false }
      return { state }
    },
  })
  const { writing } = window.session
  await writing.load()
  const become = async (next: DraftState): Promise<void> => {
    state = next
    await writing.load()
  }
  const change = (): void => {
    isChanged = true
  }
  return { ...window, writing, become, change }
}

describe('message with a broken connection', () => {
  it('reopens with the reason and can be resent unchanged', async () => {
    const { writing, shell, become, called } = await open(SENDING)
    await become(BROKEN)
    await until(() => writing.composers.all.length === 1)
    expect(shell.toasts.shown?.text).toBe('“The plans” is open again. The line broke twice.')
    expect(writing.composers.all[0]?.editing.refusal).toMatchObject({ message: 'The line broke twice.' })
    await writing.sending.sendAgain('draft-1')
    expect(called('draft.sendAgain')).toEqual([{ draftId: 'draft-1' }])
    expect(writing.composers.all).toEqual([])
  })

  it('stays open with a notice if it was changed since', async () => {
    const { writing, shell, change } = await open(BROKEN)
    await writing.resume('draft-1')
    change()
    await writing.sending.sendAgain('draft-1')
    expect(shell.toasts.shown?.text).toBe('This message was changed.')
    expect(writing.composers.all).toHaveLength(1)
  })
})
