import { expect, it } from 'vitest'
import { createNetworkChangeDebouncer } from '../../../../src/engine/platform/network.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

it('handles a change at once, and all its later signals once more', async () => {
  const clock = createSteppedClock()
  const followed: number[] = []
  const begin = clock.elapsed()
  const signal = createNetworkChangeDebouncer(clock, () => followed.push(clock.elapsed() - begin))
  signal()
  await clock.advance(200)
  signal()
  await clock.advance(200)
  signal()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200])
  signal()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200, 5_400])
})
