// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { RecipientSuppressions } from '../../../src/renderer/features/suppressions/suppressions-manager.svelte.ts'
import {
  describeSuppression,
  describeSuppressionState,
} from '../../../src/renderer/features/suppressions/describe-suppression.ts'
import PersonCard from '../../../src/renderer/features/person/PersonCard.svelte'
import type { Person } from '../../../src/shared/people.ts'
import type { AddressSuppression } from '../../../src/shared/suppressions.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const STYLE = { locale: 'en-GB', timeZone: 'UTC' }
const AT = Date.UTC(2026, 10, 3, 12)
const known = (more: Partial<AddressSuppression> = {}): AddressSuppression => ({
  ...{ address: 'eve@pier.example', suppression: null, freshness: { state: 'live', at: AT } },
  ...{ isWaiting: false, returned: null },
  ...more,
})

describe('notice about mail to an address', () => {
  it.each([
    [
      'bounce',
      AT,
      'Mail to eve@pier.example was returned on 3 November 2026: the platform won’t send to this address.',
    ],
    [
      'complaint',
      AT,
      'Mail to eve@pier.example was marked as spam on 3 November 2026: the platform won’t send to this address.',
    ],
    [
      'manual',
      AT,
      'eve@pier.example has been on the suppression list since 3 November 2026: the platform won’t send to this address.',
    ],
    ['manual', null, 'eve@pier.example is on the suppression list: the platform won’t send to this address.'],
    ['bounce', null, 'Mail to eve@pier.example was returned: the platform won’t send to this address.'],
    ['boredom', null, 'eve@pier.example is on the suppression list: the platform won’t send to this address.'],
    ['constructor', null, 'eve@pier.example is on the suppression list: the platform won’t send to this address.'],
  ])('explains a suppression for %s', (origin, since, words) => {
    expect(describeSuppression(known({ suppression: { origin, since, sourceId: null } }), STYLE)).toBe(words)
  })

  it('is absent if mail arrives, and claims no more than is known', () => {
    expect(describeSuppressionState(known(), STYLE)).toBeNull()
    const returned = { event: 'bounced', at: AT }
    expect(describeSuppressionState(known({ returned }), STYLE)).toBe(
      'The last message to eve@pier.example was returned on 3 November 2026. The address is not on the suppression list.',
    )
    expect(describeSuppressionState(known({ returned, freshness: { state: 'never', at: null } }), STYLE)).toBe(
      'The last message to eve@pier.example was returned on 3 November 2026. Linnet doesn’t know yet whether the platform will send to this address.',
    )
    expect(describeSuppressionState(known({ isWaiting: true }), STYLE)).toBe(
      'eve@pier.example was removed from the suppression list (waiting to sync).',
    )
  })
})

const ending = endAfterEach()

it.each([
  ['leads to the message that caused the suppression', 'e1', true],
  ['leads nowhere if that message is unknown', null, false],
])('the card of a suppressed address %s', async (_, sourceId, isThere) => {
  const LIVE = { state: 'live', at: AT } as const
  const address = 'eve@pier.example'
  const person: Person = {
    ...{ address, contact: null, contactsFreshness: LIVE, contactId: address, topics: null, segments: null },
    ...{ threads: [], sent: [], mail: { threads: null, received: null, sent: null, isAll: true } },
    suppressed: known({ suppression: { origin: 'bounce', since: AT, sourceId } }),
  }
  const opened = await openWindow(inbox(null), ending.signal)
  const props = { shown: { person, name: address }, problem: null, level: 2 }
  const { target } = await renderScreen(opened, PersonCard, ending.signal, props)
  const button = [...target.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Show message')
  expect(button !== undefined).toBe(isThere)
  button?.click()
  expect(opened.shell.route.current).toEqual(isThere ? { view: 'sent', id: sourceId } : inbox(null))
})

describe('recipients of a message', () => {
  const onList = (address: string): AddressSuppression =>
    known({ address, suppression: address.startsWith('eve') ? { origin: 'bounce', since: AT, sourceId: null } : null })

  it('are checked once when added, and reported only while listed', async () => {
    const { shell, called, emit } = await openWindow(inbox(null), ending.signal, {
      'suppression.ofAddresses': ({ addresses }) => addresses.map((address) => known({ address })),
      'suppression.refresh': ({ addresses }) => addresses.map(onList),
    })
    const suppressions = new RecipientSuppressions(shell.backend.until(ending.signal))
    const said = () => suppressions.suppressed.map(({ address }) => address)
    await suppressions.show('inbox', ['kim@pier.example', 'eve@pier.example'])
    expect(said()).toEqual(['eve@pier.example'])
    await suppressions.show('inbox', ['eve@pier.example'])
    expect(called('suppression.refresh')).toHaveLength(1)
    expect(said()).toEqual(['eve@pier.example'])
    await suppressions.show('inbox', [])
    expect(said()).toEqual([])
    await suppressions.show('inbox', ['eve@pier.example'])
    emit({ name: 'suppressions.changed', payload: null })
    await until(() => said().length === 0)
  })
})
