import type { AnswerTimes } from '../answer-times.ts'
import { engine } from './command.ts'
import { nothing } from './inputs.ts'

export const answerCommands = {
  /** Reply times per inbox, from local mail only; computed on request, without blocking other work. */
  'answer.times': engine<AnswerTimes>()('refused', nothing),
}
