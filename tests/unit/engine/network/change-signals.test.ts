import { expect, it } from 'vitest'
import { ChangeSignals } from '../../../../src/engine/network/change-signals.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

it('one change is followed at once, and once more for all that told of it after the first', async () => {
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
