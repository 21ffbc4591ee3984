import { expect, it } from 'vitest'
import { UnreadableResponseError, toRefusal } from '../../../../src/engine/platform/platform-problem.ts'
import { Capabilities } from '../../../../src/engine/platform/capabilities.ts'
import { NotFoundResolver } from '../../../../src/engine/platform/not-found-resolver.ts'
import { inboxOf } from '../../../support/raw-payloads.ts'

it('leaves an inbox undecided if an endless list doesn’t show it', async () => {
  let asked = 0
  const recordRefusal = () => Promise.reject(toRefusal(404, null))
  const notFound = new NotFoundResolver({
    platform: {
      searchThreads: recordRefusal,
      getThread: recordRefusal,
      listInboxes: () => {
        asked += 1
        if (asked > 1000) return Promise.reject(new Error('Asked for ever.'))
        return Promise.resolve({ items: [inboxOf({ id: `other ${asked}` })], isWhole: true, hasMore: true })
      },
    },
    capabilities: new Capabilities(),
    signal: new AbortController().signal,
    wasListed: () => false,
  })
  await expect(notFound.inboxExists('i1', 'sync')).rejects.toBeInstanceOf(UnreadableResponseError)
  expect(asked).toBeLessThanOrEqual(50)
})
