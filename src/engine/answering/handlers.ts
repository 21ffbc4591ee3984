import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { readAnswerTimes } from './answer-times.ts'
import { clockHere } from '../search/clock-here.ts'

export const answerHandlers = ({ current }: AccountAccess): HandlersOf<'answer'> => ({
  'answer.times': () => {
    const { cache, clock, signal } = current()
    return readAnswerTimes({ cache, clock: clockHere(clock.now)(), now: clock.now(), signal })
  },
})
