// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import {
  describeNextStep,
  describeUnverifiedSender,
  describeUnsubscribeResult,
} from '../../../src/renderer/features/unsubscribe/describe-unsubscribe.ts'
import { UnsubscribeManager } from '../../../src/renderer/features/unsubscribe/unsubscribe-manager.svelte.ts'
import { parseMailto } from '../../../src/renderer/features/writing/external-content.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { UnsubscribeRecord, UnsubscribeOffer } from '../../../src/shared/unsubscribe.ts'
import { createFixtureTransport, failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const OF = { list: 'received', emailId: 'email-1' } as const
const URL = 'https://news.example/u?t=1'
const OFFER: UnsubscribeOffer = {
  ways: [
    { kind: 'oneClick', url: URL },
    { kind: 'mail', to: 'a+b@news.example', subject: 'off & out', text: 'one\ntwo' },
    { kind: 'page', url: URL },
  ],
  ...{ sender: 'verified', recipient: 'ada@quill.example', last: null },
}
const [oneClick, mail, page] = OFFER.ways
const asked = (outcome: UnsubscribeRecord['outcome'], rest: Partial<UnsubscribeRecord> = {}): UnsubscribeRecord => ({
  ...{ to: 'news.example', at: 0, outcome, status: null, leadsTo: null },
  ...rest,
})

const open = async (handlers: FixtureHandlers = {}, draftId: string | null = 'draft-1') => {
  let offer: UnsubscribeOffer | null = OFFER
  const transport = createFixtureTransport({ handlers: { 'unsubscribe.of': () => offer, ...handlers } })
  const toasts = new ToastManager()
  const written: (readonly [string, string | null])[] = []
  const pages: string[] = []
  const manager = new UnsubscribeManager(createBackend(transport), {
    toasts,
    write: (mailto, from) => {
      written.push([mailto, from])
      return Promise.resolve(draftId)
    },
    links: { followButton: (url) => void pages.push(url) },
    clock: { style: { locale: 'en-GB', timeZone: 'UTC' } },
  })
  const hide = manager.show(OF)
  await until(() => manager.offerOf(OF) !== null)
  return {
    ...{ manager, hide, toasts, written, pages, emit: transport.emit },
    offer: (next: UnsubscribeOffer | null) => (offer = next),
    called: (wanted: string) => transport.calls.filter(({ name }) => name === wanted).map(({ input }) => input),
    said: () => toasts.toasts.map(({ text }) => text),
  }
}

describe('unsubscribing from a list', () => {
  it('is offered for visible e-mails only, in its current state', async () => {
    const { manager, hide, emit, offer } = await open()
    offer({ ...OFFER, last: asked('accepted') })
    emit({ name: 'unsubscribed.changed', payload: null })
    await until(() => manager.offerOf(OF)?.last?.outcome === 'accepted')
    hide()
    expect(manager.offerOf(OF)).toBeNull()
    manager.open(OF)
    expect(manager.question).toBeNull()
    manager.look(OF)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(manager.offerOf(OF)).toBeNull()
  })

  it('sends nothing before confirmation, then one request', async () => {
    let answer: (asked: UnsubscribeRecord) => void = () => undefined
    const { manager, called, said } = await open({
      'unsubscribe.post': () => new Promise<UnsubscribeRecord>((resolve) => (answer = resolve)),
    })
    manager.open(OF)
    expect(manager.question?.offer).toEqual(OFFER)
    expect(called('unsubscribe.post')).toEqual([])
    if (oneClick !== undefined) for (let press = 0; press < 3; press += 1) manager.perform(oneClick)
    expect(manager.isBusy).toBe(true)
    await until(() => called('unsubscribe.post').length > 0)
    expect(called('unsubscribe.post')).toEqual([{ of: OF, url: URL }])
    answer(asked('accepted'))
    await until(() => manager.question === null)
    expect(said()).toEqual([expect.stringMatching(/^Unsubscribed from news\.example /)])
  })

  it('shows other outcomes in the dialog and leaves the other ways', async () => {
    for (const outcome of ['declined', 'unanswered'] as const) {
      const { manager, written, said } = await open({ 'unsubscribe.post': () => asked(outcome) })
      manager.open(OF)
      if (oneClick !== undefined) manager.perform(oneClick)
      await until(() => manager.asked !== null)
      expect(manager.asked?.outcome).toBe(outcome)
      expect(said()).toEqual([])
      if (mail !== undefined) manager.perform(mail)
      expect(written).toHaveLength(1)
    }
  })

  it('says why nothing was sent, in the dialog or a toast', async () => {
    const refuse = failing({ code: 'unreachable', message: 'Nothing was sent.' })
    const shown = await open({ 'unsubscribe.post': refuse })
    shown.manager.open(OF)
    if (oneClick !== undefined) shown.manager.perform(oneClick)
    await until(() => shown.manager.problem !== null)
    expect(shown.manager.problem?.message).toBe('Nothing was sent.')
    expect(shown.manager.isBusy).toBe(false)
    const closed = await open({ 'unsubscribe.post': refuse })
    closed.manager.open(OF)
    if (oneClick !== undefined) closed.manager.perform(oneClick)
    closed.manager.close()
    await until(() => closed.said().length > 0)
    expect(closed.said()).toEqual(['Nothing was sent.'])
  })

  it('by mail writes to one address as the list asks, and records the draft', async () => {
    const { manager, written, called } = await open()
    manager.open(OF)
    if (mail !== undefined) manager.perform(mail)
    await until(() => called('unsubscribe.begun').length > 0)
    expect(called('unsubscribe.begun')).toEqual([{ of: OF, draftId: 'draft-1' }])
    const [[mailto, from] = ['', null]] = written
    expect(from).toBe('ada@quill.example')
    expect(parseMailto(mailto)).toMatchObject({
      ...{ to: [{ name: null, address: 'a+b@news.example' }], cc: [], bcc: [] },
      ...{ subject: 'off & out', text: 'one\ntwo' },
    })
    manager.open(OF)
    manager.perform({ kind: 'mail', to: 'a@news.example', subject: '', text: '' })
    await until(() => written.length === 2)
    expect(parseMailto(written[1]?.[0] ?? '')).toMatchObject({ subject: 'Unsubscribe', text: 'Unsubscribe' })
    const unbegun = await open({}, null)
    unbegun.manager.open(OF)
    if (mail !== undefined) unbegun.manager.perform(mail)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(unbegun.called('unsubscribe.begun')).toEqual([])
  })

  it('on the list’s page only opens the browser', async () => {
    const { manager, pages, called } = await open()
    manager.open(OF)
    if (page !== undefined) manager.perform(page)
    expect(pages).toEqual([URL])
    expect([called('unsubscribe.post'), called('unsubscribe.begun')]).toEqual([[], []])
    expect(manager.question).toBeNull()
  })
})

describe('outcome description', () => {
  const style = { locale: 'en-GB', timeZone: 'UTC' }
  const at = Date.UTC(2026, 4, 3, 14, 2)
  const words = (outcome: UnsubscribeRecord['outcome'], rest: Partial<UnsubscribeRecord> = {}, later = 0): string =>
    describeUnsubscribeResult(asked(outcome, { at, ...rest }), at + later, style)

  it('names the host, the time and the next step', () => {
    expect(words('accepted')).toBe('Unsubscribed from news.example at 14:02.')
    expect(words('accepted', {}, 86_400_000)).toMatch(
      /^Unsubscribed from news\.example on Sun,? 3 May,? (?:at )?14:02\.$/,
    )
    expect(words('accepted', {}, 400 * 86_400_000)).toBe('Unsubscribed from news.example on 3 May 2026.')
    expect(words('sent')).toBe('Sent an unsubscribe message to news.example at 14:02.')
    expect(words('declined', { status: 404 })).toContain(
      'did not accept your unsubscribe request at 14:02. It returned error 404.',
    )
    expect(words('declined', { status: 302, leadsTo: '127.0.0.1' })).toContain(
      'It redirected to 127.0.0.1, which Linnet did not follow.',
    )
    expect(words('unanswered')).toContain('It may have worked.')
    expect([
      describeNextStep(OFFER.ways.slice(1)),
      describeNextStep(OFFER.ways.slice(2)),
      describeNextStep([]),
    ]).toEqual([
      'Try sending a message instead.',
      'Try the list’s web page instead.',
      'If mail keeps coming, mark it as spam.',
    ])
  })

  it('warns about an unverified sender', () => {
    expect(describeUnverifiedSender({ sender: 'verified' })).toBeNull()
    expect(describeUnverifiedSender({ sender: 'unverified' })).toContain('not verified')
    expect(describeUnverifiedSender({ sender: 'forged' })).toContain('failed verification')
  })
})
