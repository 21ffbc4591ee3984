// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import AccountProblems from '../../../src/renderer/app/AccountProblems.svelte'
import AccountEmailsView from '../../../src/renderer/features/account-emails/AccountEmailsView.svelte'
import DeliveryLine from '../../../src/renderer/features/deliveries/DeliveryLine.svelte'
import type { DeliveryFailure } from '../../../src/shared/delivery.ts'
import type { PersistentProblem } from '../../../src/shared/result.ts'
import type { AddressSuppression } from '../../../src/shared/suppressions.ts'
import { ALL_INBOXES, toUnifiedThreadId } from '../../../src/shared/unified-ids.ts'
import type { FeedState } from '../../../src/shared/webhooks.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()
const EVE = 'eve@pier.example'
const known = (more: Partial<AddressSuppression>): AddressSuppression => ({
  ...{ address: EVE, suppression: null, freshness: { state: 'live', at: 0 }, isWaiting: false, returned: null },
  ...more,
})
const LISTED = known({ suppression: { origin: 'bounce', since: 0, sourceId: 'e1' } })

const buttonsIn = (target: HTMLElement): readonly string[] =>
  [...target.querySelectorAll('button')].map(({ textContent }) => textContent.trim())
const press = (target: HTMLElement, name: string): void =>
  [...target.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)?.click()

describe('the status of a sent message', () => {
  const draw = async (
    lastEvent: string,
    failure: DeliveryFailure | null,
    { to = [EVE], handlers = {} }: { readonly to?: readonly string[]; readonly handlers?: FixtureHandlers } = {},
  ) => {
    const opened = await openWindow(inbox(null), ending.signal, handlers)
    const props = { delivery: { lastEvent, failure, scheduledAt: null }, email: { to, cc: [], bcc: [] } }
    return { opened, ...(await renderScreen(opened, DeliveryLine, ending.signal, props)) }
  }
  const permanent = (...recipients: readonly string[]): DeliveryFailure => ({
    ...{ type: 'Permanent', subType: 'General', message: 'smtp; 550 5.1.1 No such user', recipients },
  })

  it('offers to remove a suppressed address from the list', async () => {
    const { opened, target } = await draw('bounced', permanent(EVE), {
      to: ['kim@pier.example', EVE],
      handlers: { 'suppression.refresh': () => [LISTED] },
    })
    expect(target.textContent).toContain(
      `Bounced for ${EVE}: no such address. Check it for typing mistakes. The platform added`,
    )
    press(target, 'Remove from list…')
    await until(() => opened.session.questions.asked !== null)
    expect(opened.called('suppression.refresh')).toEqual([{ addresses: [EVE] }])
    expect(opened.session.questions.asked?.action).toBe('Remove from list')
  })

  it.each([
    [known({}), `${EVE} is not on the suppression list.`],
    [known({ freshness: { state: 'cached', at: 1 } }), 'Linnet could not check the suppression list. Try again later.'],
    [known({ freshness: { state: 'never', at: null } }), 'Linnet could not check the suppression list.'],
  ])('says so if the address is not on the list: %j', async (answer, text) => {
    const { opened, target } = await draw('suppressed', null, { handlers: { 'suppression.refresh': () => [answer] } })
    press(target, 'Remove from list…')
    await until(() => opened.shell.toasts.shown?.text.startsWith(text) === true)
    expect(opened.session.questions.asked).toBeNull()
  })

  it('offers no removal if the address is not suppressed, or may be another', async () => {
    const transient = { ...permanent(EVE), type: 'Transient', message: null }
    expect(buttonsIn((await draw('bounced', transient)).target)).toEqual([])
    const two = ['kim@pier.example', EVE]
    expect(buttonsIn((await draw('bounced', permanent(...two), { to: two })).target)).toEqual([])
    expect(buttonsIn((await draw('complained', null)).target)).toEqual([])
    expect(buttonsIn((await draw('delivered', null)).target)).toEqual([])
  })

  it.each<readonly [FeedState, string, DeliveryFailure | null, boolean]>([
    [{ kind: 'none' }, 'bounced', null, true],
    [{ kind: 'none' }, 'failed', null, true],
    [{ kind: 'none' }, 'bounced', permanent(EVE), false],
    [{ kind: 'none' }, 'complained', null, false],
    [{ kind: 'read', endpoint: 'example.com/hook', readAt: 1 }, 'bounced', null, false],
    [{ kind: 'not offered' }, 'bounced', null, false],
  ])('says how to learn the reason only if a webhook is missing: %j %s %j', async (state, event, failure, isHint) => {
    const { opened, target, settle } = await draw(event, failure, { handlers: { 'feed.state': () => state } })
    // A later call is answered later.
    await opened.shell.backend.call('feed.state', {})
    await settle()
    expect(target.textContent.includes('Settings › New mail')).toBe(isHint)
    expect(buttonsIn(target).includes('Open Settings')).toBe(isHint)
  })
})

it('appears on the open message and in its row when the platform tells it', async () => {
  let told: { readonly lastEvent: string; readonly failure: DeliveryFailure | null } = {
    lastEvent: 'sent',
    failure: null,
  }
  const bounce = { type: 'Transient', subType: 'MailboxFull', message: null, recipients: [EVE] }
  const email = {
    ...{ id: 'e1', from: 'me@pier.example', to: [EVE], cc: [], bcc: [], replyTo: [], subject: 'Berths', createdAt: 0 },
    ...{ messageId: null, scheduledAt: null, onServer: true, inThread: null, excerpt: null },
    ...{ text: 'Hello', html: null, apart: null, attachments: [] },
  }
  const opened = await openWindow({ view: 'sent', id: 'e1' }, ending.signal, {
    'sentEmail.get': () => ({ ...email, ...told }),
    'sentEmail.list': () => ({
      ...{ items: [{ ...email, ...told }], offset: 0, total: 1, hasMore: false },
      ...{ freshness: { state: 'live', at: 0 }, searched: null },
    }),
  })
  const { target } = await renderScreen(opened, AccountEmailsView, ending.signal)
  const says = (selector: string, words: string) => () =>
    target.querySelector(selector)?.textContent.includes(words) === true
  await until(says('[aria-label="Delivery"]', 'Sent'))
  told = { lastEvent: 'bounced', failure: bounce }
  opened.emit({ name: 'sentEmails.changed', payload: null })
  await until(says('[aria-label="Delivery"]', 'Bounced: mailbox full. Wait'))
  await until(says('[role="option"]', 'Bounced: mailbox full'))
})

describe('the notice of a failed delivery', () => {
  const problemOf = (details: PersistentProblem['details'], id = 'not-delivered e1'): PersistentProblem => ({
    ...{ id, code: 'refused', message: 'It was not delivered.', at: 0, details },
  })
  const draw = async (problems: readonly PersistentProblem[], isAllInboxes = false) => {
    let left = problems
    const opened = await openWindow(
      inbox(null),
      ending.signal,
      {
        'problem.list': () => left,
        'problem.dismiss': ({ id }) => {
          left = left.filter((problem) => problem.id !== id)
          return null
        },
        'suppression.refresh': () => [LISTED],
      },
      isAllInboxes,
    )
    await opened.session.problems.load()
    return { opened, ...(await renderScreen(opened, AccountProblems, ending.signal, { onEmpty: () => undefined })) }
  }
  const UNIFIED_ID = toUnifiedThreadId({ accountId: 'fixture', inboxId: 'i1', threadId: 't1' })
  const PLACE = { sentId: 'e1', inboxId: 'i1' }

  it.each([
    [{ ...PLACE, threadId: 't1' }, false, { view: 'folder', inboxId: 'i1', folder: 'sent', threadId: 't1' }],
    [
      { ...PLACE, threadId: 't1' },
      true,
      { view: 'folder', inboxId: ALL_INBOXES, folder: 'sent', threadId: UNIFIED_ID },
    ],
    [PLACE, false, { view: 'sent', id: 'e1' }],
  ])('opens the message: %j, all inboxes: %j', async (details, isAllInboxes, route) => {
    const { opened, target } = await draw([problemOf(details)], isAllInboxes)
    press(target, 'Open message')
    expect(opened.shell.route.current).toEqual(route)
  })

  it('offers to remove a suppressed address from the list', async () => {
    const { opened, target } = await draw([problemOf({ ...PLACE, suppressedAddress: EVE })])
    expect(buttonsIn(target)).toEqual(['Open message', 'Remove from list…', 'Dismiss'])
    press(target, 'Remove from list…')
    await until(() => opened.session.questions.asked !== null)
    expect(opened.called('suppression.refresh')).toEqual([{ addresses: [EVE], inboxId: 'i1' }])
  })

  it('offers nothing for other problems', async () => {
    expect(buttonsIn((await draw([problemOf(undefined)])).target)).toEqual(['Dismiss'])
    expect(buttonsIn((await draw([problemOf({ status: 500 })])).target)).toEqual(['Dismiss'])
    expect(buttonsIn((await draw([problemOf(PLACE)], true)).target)).toEqual(['Dismiss'])
  })

  it('leaves the focus on the next notice’s Dismiss', async () => {
    const { target, settle } = await draw([problemOf(PLACE), problemOf(PLACE, 'not-delivered e2')])
    press(target, 'Dismiss')
    expect(document.activeElement?.textContent.trim()).toBe('Dismiss')
    await settle()
    expect(buttonsIn(target)).toEqual(['Open message', 'Dismiss'])
    expect(document.activeElement?.textContent.trim()).toBe('Dismiss')
  })
})
