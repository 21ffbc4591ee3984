import { expect, it } from 'vitest'
import { NetworkChangeDebouncer } from '../../../../src/engine/platform/network.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

it('handles a change at once, and all its later signals once more', async () => {
  const clock = createSteppedClock()
  const followed: number[] = []
  const begin = clock.elapsed()
  const signals = new NetworkChangeDebouncer(clock, () => followed.push(clock.elapsed() - begin))
  signals.notify()
  await clock.advance(200)
  signals.notify()
  await clock.advance(200)
  signals.notify()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200])
  signals.notify()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200, 5_400])
})
