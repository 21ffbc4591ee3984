import { describe, expect, it } from 'vitest'
import type { ListedDraft } from '../../../../../src/engine/platform/resources/drafts.ts'
import { RemoteReplyCheck } from '../../../../../src/engine/mail/writing/remote-replies.ts'
import type { LocalDraft } from '../../../../../src/engine/own/drafts/local-draft.ts'
import type { Email } from '../../../../../src/shared/model.ts'
import { ProblemError } from '../../../../../src/shared/result.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'

const INBOX = 'inbox-1'
const THREAD = 'thread-1'
const MINUTE = 60_000
/** Arrival time of the e-mail replied to. */
const CAME = Date.UTC(2026, 10, 26, 14)

const email = (id: string, minutes: number, change: Partial<Email> = {}): Email => ({
  ...{ id, threadId: THREAD, direction: 'outbound', from: 'Mara Lind <support@example.com>', to: [], cc: [], bcc: [] },
  ...{ replyTo: [], subject: 'Re: Berths', messageId: null, html: null, text: `Text of ${id}`, apart: null },
  ...{ attachments: [], read: true, receivedAt: CAME + minutes * MINUTE, onServer: true },
  ...change,
})
const asked = email('asked', 0, { direction: 'inbound', from: 'ada@example.com' })

const listed = (id: string, minutes: number | null, change: Partial<ListedDraft> = {}): ListedDraft => ({
  ...{
    id,
    subject: 'Re: Berths',
    threadId: THREAD,
    replyToEmailId: 'another',
    to: [],
    snippet: `Draft ${id}`,
    files: 0,
  },
  updatedAt: minutes === null ? null : CAME + minutes * MINUTE,
  ...change,
})

const kept = (id: string, change: Partial<LocalDraft> = {}): LocalDraft => ({
  ...{ id, inboxId: INBOX, kind: 'reply', target: { threadId: THREAD, emailId: 'asked' }, revision: 0, isOurs: true },
  content: {
    ...{ to: [], cc: [], bcc: [], subject: 'Re: Berths', format: 'plain', html: '', text: `Words of ${id}` },
    ...{ quote: { html: '', text: '> Which one?' }, files: [] },
  },
  ...{ state: { kind: 'open' }, platform: null, theirs: null, request: null, standsAlone: false, notKept: null },
  ...{ sending: null, discardedAt: null, createdAt: 0, updatedAt: 0 },
  begun: { emailId: 'asked', receivedAt: CAME, drafts: [] },
  ...change,
})

const create = () => {
  const clock = createSteppedClock()
  const reported: unknown[] = []
  const here = {
    emails: [asked] as readonly Email[],
    drafts: [] as readonly ListedDraft[],
    kept: [] as readonly LocalDraft[],
    sent: [] as readonly string[],
    isOnline: true,
  }
  const platform = {
    calls: [] as string[],
    signals: [] as AbortSignal[],
    read: (): Promise<void> => Promise.resolve(),
    list: (): Promise<boolean> => Promise.resolve(true),
  }
  const elsewhere = new RemoteReplyCheck({
    files: { all: () => here.kept },
    cache: {
      inboxes: { get: () => ({ key: 1, id: INBOX }) },
      emails: { ofThread: () => here.emails, newest: () => here.emails.at(-1) },
      sentEmails: { listed: () => undefined, withMessageId: () => [] },
      deliveries: { isFromHere: (id: string) => here.sent.includes(id) },
    },
    theirs: {
      of: () => here.drafts,
      look: () => {
        platform.calls.push('drafts')
        return platform.list()
      },
    },
    threads: {
      mayOfferEmails: () => true,
      readNewer: (_inbox: unknown, _threadId: unknown, signal: AbortSignal) => {
        platform.calls.push('emails')
        platform.signals.push(signal)
        return platform.read().then(() => true)
      },
    },
    isOnline: () => here.isOnline,
    report: (thrown: unknown) => reported.push(thrown),
    clock,
    signal: new AbortController().signal,
  } as unknown as ConstructorParameters<typeof RemoteReplyCheck>[0])
  const own = kept('own')
  here.kept = [own]
  const answersTo = (draft: LocalDraft = own): readonly string[] =>
    elsewhere.known(draft).answers.map(({ emailId }) => emailId)
  const draftsBeside = (draft: LocalDraft = own) => elsewhere.known(draft).drafts.map(({ snippet }) => snippet)
  return { elsewhere, here, platform, clock, own, answersTo, draftsBeside, reported }
}

describe('replies by others since a reply was started', () => {
  it('follow the last e-mail the user could see', () => {
    const { here, answersTo } = create()
    here.sent = ['ours']
    here.emails = [
      email('before', -5),
      asked,
      email('ours', 1),
      email('theirs', 2),
      email('in', 3, { direction: 'inbound' }),
    ]
    expect(answersTo()).toEqual(['theirs'])
  })

  it('exclude e-mails that the platform only redates or moves', () => {
    const { here, answersTo } = create()
    const before = email('before', -5)
    // The last e-mail seen moves to the top or the end, or disappears.
    here.emails = [{ ...asked, receivedAt: 0 }, before]
    expect(answersTo()).toEqual([])
    here.emails = [before, email('theirs', 2), { ...asked, receivedAt: CAME * 2 }]
    expect(answersTo()).toEqual([])
    here.emails = [before, email('theirs', 2)]
    expect(answersTo()).toEqual(['theirs'])
  })

  it('are limited in number, name and text', () => {
    const { here, elsewhere, own } = create()
    const hostile = { from: `\u202e${'M'.repeat(5_000)} <m@example.com>`, text: 'W'.repeat(100_000) }
    here.emails = [asked, ...Array.from({ length: 300 }, (_, at) => email(`theirs-${at}`, at + 1, hostile))]
    const { answers } = elsewhere.known(own)
    expect(answers.map(({ emailId }) => emailId)).toEqual(Array.from({ length: 20 }, (_, at) => `theirs-${at + 280}`))
    expect(Math.max(...answers.map(({ from, snippet }) => from.length + (snippet?.length ?? 0)))).toBeLessThan(1_300)
    expect(answers.some(({ from }) => from.includes('\u202e'))).toBe(false)
  })

  it('exclude this computer’s own, while a request may have arrived and after it', () => {
    const { here, elsewhere, answersTo } = create()
    const text = 'Words of first\r\n\r\n> Which one?\n'
    here.emails = [asked, email('echo', 1, { text })]
    expect(answersTo()).toEqual(['echo'])
    const sending = { key: 'k', archive: false, scheduledAt: null, way: null, askedAt: null, emailId: null }
    here.kept = [kept('first', { sending })]
    expect(answersTo()).toEqual(['echo'])
    here.kept = [kept('first', { sending: { ...sending, askedAt: 1 } })]
    expect(answersTo()).toEqual([])
    here.kept = []
    elsewhere.sent(kept('first'))
    expect(answersTo()).toEqual([])
    // A text with the same beginning isn't ours, nor is the same text in another thread.
    here.emails = [asked, email('other', 1, { text: `${text} And more.` })]
    expect(answersTo()).toEqual(['other'])
  })

  it('aren’t checked for other messages, or for replies with an unknown start', () => {
    const { here, elsewhere, own, answersTo } = create()
    here.emails = [asked, email('theirs', 2)]
    const { begun: _begun, ...older } = own
    expect(answersTo(older)).toEqual([])
    const target = { threadId: THREAD, emailId: 'asked' }
    expect(elsewhere.begun(INBOX, 'forward', target)).toBeUndefined()
    expect(elsewhere.begun(INBOX, 'new', null)).toBeUndefined()
    expect(elsewhere.begun(INBOX, 'replyAll', target)).toEqual({
      emailId: 'theirs',
      receivedAt: CAME + 2 * MINUTE,
      drafts: [],
    })
  })
})

describe('drafts next to a reply', () => {
  it('are new or changed in its thread, and newer than the e-mail replied to', () => {
    const { here, elsewhere, draftsBeside } = create()
    here.drafts = [listed('unchanged', 1), listed('changed', 1)]
    const begun = elsewhere.begun(INBOX, 'reply', { threadId: THREAD, emailId: 'asked' })
    if (begun === undefined) throw new Error('It is a reply.')
    here.drafts = [
      ...[listed('unchanged', 1), listed('changed', 2), listed('new', 3), listed('old', -60), listed('undated', null)],
      listed('of another thread', 3, { threadId: 'thread-2' }),
      listed('of none', 3, { threadId: null }),
    ]
    expect(draftsBeside(kept('own', { begun }))).toEqual(['Draft changed', 'Draft new', 'Draft undated'])
  })

  it('exclude this computer’s own, even while their ID is awaited', () => {
    const { here, draftsBeside } = create()
    here.drafts = [listed('there', 1), listed('being made', 1, { replyToEmailId: 'asked' })]
    const { content } = kept('any')
    const seen = { updatedAt: 1, content }
    here.kept = [kept('first', { platform: { id: 'there', inboxId: INBOX, revision: 0, seen } })]
    expect(draftsBeside()).toEqual(['Draft being made'])
    const request = { key: 'k', inboxId: INBOX, content, revision: 0, at: 1 }
    here.kept = [...here.kept, kept('second', { request })]
    expect(draftsBeside()).toEqual([])
  })
})

describe('a check of the platform', () => {
  it('is given up after three seconds, with its request', async () => {
    const { elsewhere, here, platform, clock, own } = create()
    here.drafts = [listed('stale', 1)]
    platform.read = () => new Promise(() => undefined)
    platform.list = () => new Promise(() => undefined)
    let isOver = false
    const looking = elsewhere.look(own).finally(() => (isOver = true))
    await clock.advance(2_900)
    expect(isOver).toBe(false)
    await clock.advance(200)
    // Drafts not listed this time may be gone.
    expect(await looking).toEqual({ answers: [], drafts: [] })
    expect(platform.signals[0]?.aborted).toBe(true)
  })

  it('returns one half if the other fails, and reports only unexpected errors', async () => {
    const { elsewhere, here, platform, own, reported } = create()
    here.drafts = [listed('there', 1)]
    platform.read = () => Promise.reject(new ProblemError({ code: 'refused', message: 'No.' }))
    expect(await elsewhere.look(own)).toMatchObject({ answers: [], drafts: [{ snippet: 'Draft there' }] })
    expect(reported).toEqual([])
    platform.read = () => {
      here.emails = [asked, email('theirs', 2)]
      return Promise.resolve()
    }
    platform.list = () => Promise.reject(new Error('A fault of ours'))
    expect(await elsewhere.look(own)).toMatchObject({ answers: [{ emailId: 'theirs' }], drafts: [] })
    expect(reported).toHaveLength(1)
  })

  it('is skipped offline, for other messages, and within two seconds', async () => {
    const { elsewhere, here, platform, clock, own } = create()
    here.isOnline = false
    await elsewhere.look(own)
    const { begun: _begun, ...other } = own
    await elsewhere.look(other)
    expect(platform.calls).toEqual([])
    here.isOnline = true
    await elsewhere.look(own)
    await elsewhere.look(own)
    // The draft list has its own throttle.
    expect(platform.calls.filter((call) => call === 'emails')).toHaveLength(1)
    await clock.advance(2_500)
    await elsewhere.look(own)
    expect(platform.calls.filter((call) => call === 'emails')).toHaveLength(2)
  })
})
