import { describe, expect, it } from 'vitest'
import { withoutCopy } from '../../../../../src/engine/mail/writing/draft-copy.ts'
import { applyToDraft, DRAFT_TABLE, type DraftEvent } from '../../../../../src/engine/mail/writing/draft-table.ts'
import type { LocalDraft } from '../../../../../src/engine/own/drafts/local-draft.ts'
import type { SendRecord } from '../../../../../src/engine/own/drafts/send-record.ts'
import { ProblemError } from '../../../../../src/shared/result.ts'
import type { DraftContent, SendObjection } from '../../../../../src/shared/drafts.ts'

const content: DraftContent = {
  ...{ to: [{ name: null, address: 'ada@quay.example' }], cc: [], bcc: [], subject: 'Berths', format: 'plain' },
  ...{ html: '', text: 'From Monday on.', quote: null, files: [] },
}
const open: LocalDraft = {
  ...{ id: 'draft-1', inboxId: 'inbox-1', kind: 'reply', target: { threadId: 'thread-1', emailId: 'email-1' } },
  ...{ content, revision: 3, state: { kind: 'open' }, isOurs: true, platform: null, theirs: null, request: null },
  ...{ standsAlone: false, notKept: null, sending: null, discardedAt: null, createdAt: 1, updatedAt: 1 },
}
const way: NonNullable<SendRecord['way']> = {
  kind: 'reply',
  inboxId: 'inbox-1',
  threadId: 'thread-1',
  emailId: 'email-1',
}
const record: SendRecord = {
  key: 'key-1',
  archive: true,
  archivedBy: 'change-1',
  scheduledAt: null,
  way: null,
  askedAt: null,
}
const later: SendRecord = { ...record, scheduledAt: 9_000 }
const objection: SendObjection = {
  replies: { answers: [{ emailId: 'email-2', from: 'Mara', at: 5, snippet: null }], drafts: [] },
  ...{ quota: null, isScheduled: false },
}
const reason = { field: 'to', message: 'This address does not exist.' } as const
const broken = { field: 'message', message: 'The connection was lost twice.', isLineBroken: true } as const
const whole = { bytes: content.text.length, tries: 2, mayHaveArrived: false }

/** A draft in each state, and in each variant that the table tells apart. */
const DRAFTS = {
  open,
  'held for undo': { ...open, state: { kind: 'held', at: 4_000 }, sending: { ...record, asksFirst: true } },
  'held for consent': { ...open, state: { kind: 'held', at: null, objection }, sending: record },
  'held until later': { ...open, state: { kind: 'held', at: 4_000 }, sending: later },
  'sending, still here': { ...open, state: { kind: 'sending' }, sending: record },
  'sending later, still here': { ...open, state: { kind: 'sending' }, sending: later },
  'sending, asked': { ...open, state: { kind: 'sending' }, sending: { ...record, way, askedAt: 3_000 } },
  scheduled: {
    ...open,
    state: { kind: 'scheduled', at: 9_000, emailId: 'email-9' },
    sending: { ...later, askedAt: 3_000 },
  },
  'scheduled, cancel asked': {
    ...open,
    ...{ state: { kind: 'scheduled', at: 9_000, emailId: 'email-9', isCancelAsked: true } },
    sending: { ...later, askedAt: 3_000 },
  },
  refused: { ...open, state: { kind: 'refused', reason } },
  'refused, connection lost': {
    ...open,
    state: { kind: 'refused', reason: broken },
    sending: { ...record, way, askedAt: 3_000 },
  },
  sent: { ...open, state: { kind: 'sent', emailId: 'email-9' }, sending: { ...record, way, askedAt: 3_000 } },
} as const satisfies Readonly<Record<string, LocalDraft>>

const sendEvent: Extract<DraftEvent, { kind: 'send' }> = {
  ...{ kind: 'send', revision: 3, content: undefined, inboxId: undefined, archive: true, scheduledAt: null },
  ...{ holdUntil: null, asksFirst: false, key: 'key-2', fault: null, at: 2_000 },
}
const seen = { updatedAt: 7_000, content: { ...content, text: 'From Tuesday on.' } }

const EVENTS = {
  edit: { kind: 'edit', revision: 3, content: { ...content, text: 'Edited.' }, inboxId: undefined, at: 2_000 },
  send: sendEvent,
  'send with undo': { ...sendEvent, holdUntil: 12_000, asksFirst: true },
  'send later': { ...sendEvent, scheduledAt: 9_000 },
  'send again': { kind: 'sendAgain', fault: null },
  reschedule: { kind: 'reschedule', scheduledAt: 9_500, key: 'key-3', fault: null },
  'take back': { kind: 'takeBack' },
  due: { kind: 'due' },
  objected: { kind: 'objected', objection },
  cleared: { kind: 'cleared' },
  asking: { kind: 'asking', key: 'key-1', way, at: 2_000 },
  accepted: { kind: 'accepted', emailId: 'email-9', way, at: 2_000 },
  refused: { kind: 'refused', reason },
  lost: { kind: 'lost', askedAt: 3_000, broken: undefined },
  'lost twice': { kind: 'lost', askedAt: 3_000, broken: whole },
  'upload stopped': { kind: 'lost', askedAt: null, broken: { ...whole, isStopped: true } },
  cancelled: { kind: 'cancelled' },
  moved: { kind: 'moved', at: 9_500 },
} as const satisfies Readonly<Record<string, DraftEvent>>

type Course = Readonly<Record<keyof typeof EVENTS, string>>

/** Late news about a message that is no longer being sent. */
const NO_NEWS = {
  ...{ due: '·', objected: '·', cleared: '·', accepted: '·', refused: '·', lost: '·', 'lost twice': '·' },
  ...{ 'upload stopped': '·', cancelled: '·', moved: '·' },
}
const WRITABLE = {
  ...{ edit: 'open: save', send: 'sending: continue, archive', 'send with undo': 'held: archive, continue' },
  ...{ 'send later': 'sending: continue, archive', 'send again': 'conflict', reschedule: 'conflict', 'take back': '·' },
  ...{ ...NO_NEWS, asking: 'cancelled' },
}
const UNDER_WAY = {
  ...{ edit: 'conflict', send: 'conflict', 'send with undo': 'conflict', 'send later': 'conflict' },
  ...{ 'send again': 'conflict', reschedule: 'conflict', ...NO_NEWS, asking: 'cancelled' },
}
const SENDING = {
  ...{ ...UNDER_WAY, 'take back': 'open: unarchive, save', objected: 'held: unarchive' },
  ...{ asking: 'sending', accepted: 'sent', refused: 'refused: unarchive', lost: 'sending' },
  ...{ 'lost twice': 'refused: unarchive', 'upload stopped': 'open: unarchive, save' },
}

/** The state after each event, and the work that follows. `·`: the state stays. */
const COURSES: Readonly<Record<keyof typeof DRAFTS, Course>> = {
  open: WRITABLE,
  refused: WRITABLE,
  'refused, connection lost': { ...WRITABLE, 'send again': 'sending: continue, archive' },
  'held for undo': {
    ...{ ...UNDER_WAY, 'take back': 'open: unarchive, save', due: 'sending: continue', objected: 'held: unarchive' },
  },
  'held for consent': {
    ...{ ...UNDER_WAY, 'send again': 'sending: continue, archive', 'take back': 'open: unarchive, save' },
    objected: 'held: unarchive',
  },
  'held until later': {
    ...{ ...UNDER_WAY, reschedule: '·', 'take back': 'open: unarchive, save', due: 'sending: continue' },
    objected: 'held: unarchive',
  },
  'sending, still here': SENDING,
  'sending later, still here': { ...SENDING, reschedule: '·: continue', accepted: 'scheduled' },
  'sending, asked': { ...SENDING, 'take back': 'conflict', objected: '·' },
  scheduled: {
    ...{ ...UNDER_WAY, reschedule: '·: move', 'take back': '·: cancel', accepted: 'sent: continue' },
    ...{ refused: 'refused: unarchive', cancelled: 'refused: unarchive' },
  },
  'scheduled, cancel asked': {
    ...{ ...UNDER_WAY, reschedule: '·: move', 'take back': '·: cancel', accepted: 'sent: continue' },
    ...{ refused: 'refused: unarchive', cancelled: 'open: unarchive, save' },
  },
  sent: { ...UNDER_WAY, 'take back': 'conflict' },
}

const courseOf = (draft: LocalDraft, event: DraftEvent): string => {
  try {
    const { draft: next, effects } = applyToDraft(draft, event)
    return effects.length === 0 ? next.state.kind : `${next.state.kind}: ${effects.join(', ')}`
  } catch (thrown) {
    if (thrown instanceof ProblemError) return thrown.problem.code
    throw thrown
  }
}

describe.each(Object.entries(DRAFTS))('a draft that is %s', (name, draft) => {
  it.each(Object.entries(EVENTS))('%s', (what, event) => {
    const expected = COURSES[name as keyof typeof DRAFTS][what as keyof typeof EVENTS]
    expect(courseOf(draft, event)).toBe(expected.replace('·', draft.state.kind))
  })
})

it('covers every state and event of the table', () => {
  const states = new Set(Object.values(DRAFTS).map(({ state }) => state.kind))
  expect([...states].toSorted()).toEqual(Object.keys(DRAFT_TABLE).toSorted())
  const kinds = [...new Set(Object.values(EVENTS).map(({ kind }) => kind))].toSorted()
  for (const row of Object.values(DRAFT_TABLE)) expect(Object.keys(row).toSorted()).toEqual(kinds)
})

describe('sending', () => {
  const sent = (draft: LocalDraft, event: Partial<typeof sendEvent> = {}): LocalDraft =>
    applyToDraft(draft, { ...sendEvent, ...event }).draft

  it('sends the text as it stood at the key press', () => {
    const text = 'The last words.'
    expect(sent(open, { content: { ...content, text } })).toMatchObject({ content: { text }, revision: 4 })
    expect(sent({ ...open, isUntouched: true })).not.toHaveProperty('isUntouched')
  })

  it('repeats the same request if an earlier one may have arrived, unless the message changes', () => {
    const lost = DRAFTS['refused, connection lost']
    expect(sent(lost).sending).toMatchObject({ key: 'key-1', way, askedAt: 3_000 })
    expect(sent(lost, { scheduledAt: 9_000 }).sending).toMatchObject({ key: 'key-2', way: null, askedAt: null })
    expect(sent(lost, { content }).sending).toMatchObject({ key: 'key-2', way: null, askedAt: null })
  })

  it('rejects another revision, a conflict with another version, and a fault', () => {
    expect(courseOf(open, { ...sendEvent, revision: 2 })).toBe('conflict')
    expect(courseOf({ ...open, theirs: seen }, sendEvent)).toBe('conflict')
    expect(courseOf(open, { ...sendEvent, fault: reason })).toBe('refused')
    expect(courseOf(DRAFTS['held for consent'], { kind: 'sendAgain', fault: reason })).toBe('refused')
    expect(courseOf(DRAFTS.scheduled, { ...EVENTS.reschedule, fault: reason })).toBe('refused')
    expect(courseOf(open, { ...EVENTS.edit, revision: 2 })).toBe('conflict')
  })

  it('keeps the first time that a request may have arrived, and forgets it with a new key', () => {
    const asked = DRAFTS['sending, asked']
    expect(applyToDraft(asked, EVENTS.asking).draft.sending?.askedAt).toBe(3_000)
    expect(applyToDraft(asked, { ...EVENTS.lost, askedAt: null }).draft.sending?.askedAt).toBeNull()
    const other = applyToDraft(asked, { ...EVENTS.lost, askedAt: null, next: { key: 'key-4', way: null } }).draft
      .sending
    expect(other).toMatchObject({ key: 'key-4', way: null, askedAt: null })
  })

  it('stops a try of a message that was taken back and sent again', () => {
    expect(courseOf(DRAFTS['sending, still here'], { ...EVENTS.asking, key: 'key-4' })).toBe('cancelled')
  })

  it('remembers how the platform got a message', () => {
    expect(applyToDraft(DRAFTS['sending, still here'], EVENTS.accepted).draft.sending?.way).toEqual(way)
  })

  it('changes the request with the time of a message that is still here', () => {
    const moved = applyToDraft(DRAFTS['held until later'], EVENTS.reschedule).draft.sending
    expect(moved).toMatchObject({ key: 'key-3', scheduledAt: 9_500, way: null })
  })

  it('archives a thread again after consent, and after a lost connection', () => {
    const held = applyToDraft(DRAFTS['held for undo'], EVENTS.objected).draft
    expect(held.sending).toMatchObject({ archive: true, archivedBy: undefined })
    expect(applyToDraft(held, EVENTS['send again']).draft.sending?.asksFirst).toBeUndefined()
    expect(applyToDraft(DRAFTS['sending, asked'], EVENTS['lost twice']).draft.sending?.archivedBy).toBeUndefined()
  })

  it('tells the user about a reply once', () => {
    const begun = { emailId: 'email-1', receivedAt: 1, drafts: [] }
    const held = applyToDraft({ ...DRAFTS['held for undo'], begun }, EVENTS.objected).draft
    expect(held.begun?.told).toEqual({ emailIds: ['email-2'], drafts: false })
  })
})

describe('what happens to the platform’s copy', () => {
  const stored: LocalDraft = { ...open, platform: { id: 'platform-1', inboxId: 'inbox-1', revision: 3, seen } }

  it('removes a draft that was whole there, and no other', () => {
    const discardedAt = (draft: LocalDraft) => withoutCopy(draft, 2_000).discardedAt
    expect(discardedAt(stored)).toBe(2_000)
    expect(discardedAt({ ...stored, revision: 4 })).toBeNull()
    expect(discardedAt({ ...stored, state: { kind: 'sending' }, sending: record })).toBeNull()
  })
})
