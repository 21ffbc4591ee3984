import { expect, it } from 'vitest'
import { ChangeSignals } from '../../../../src/engine/network/change-signals.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

it('handles a change at once, and all its later signals once more', async () => {
  const clock = createSteppedClock()
  const followed: number[] = []
  const begin = clock.elapsed()
  const signals = new ChangeSignals(clock, () => followed.push(clock.elapsed() - begin))
  signals.heard()
  await clock.advance(200)
  signals.heard()
  await clock.advance(200)
  signals.heard()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200])
  signals.heard()
  await clock.advance(5_000)
  expect(followed).toEqual([0, 1_200, 5_400])
})
