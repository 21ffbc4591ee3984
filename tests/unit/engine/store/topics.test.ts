import { expect, it } from 'vitest'
import { topicParser } from '../../../../src/engine/platform/resources/contacts.ts'
import { accountTopicParser } from '../../../../src/engine/platform/resources/topics.ts'
import { openTestCache } from '../support/open-test-cache.ts'

it('reads a topic without a subscription as its default, or else as unknown', () => {
  const { cache } = openTestCache()
  const defaults = [{ id: 'news', name: 'News', default_subscription: 'opt_in' }]
  cache.accountLists.replace('topics', accountTopicParser.storedList(JSON.stringify(defaults)) ?? [], 1)
  const topics = [
    { id: 'news', name: 'News' },
    { id: 'old', name: 'Old', subscription: null },
  ]
  cache.topics.replaceAll('ann', topicParser.storedList(JSON.stringify(topics)) ?? [], 1)
  const states = (): unknown => cache.topics.ofContact('ann')?.topics.map(({ subscription }) => subscription)
  expect(states()).toEqual(['opt_in', ''])
  expect([...cache.topics.serverSubscriptions('ann')]).toEqual([
    ['news', 'opt_in'],
    ['old', ''],
  ])
  cache.topics.storeSubscription('ann', 'old', 'opt_out')
  expect(states()).toEqual(['opt_in', 'opt_out'])
})
