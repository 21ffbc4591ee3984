/** How long people waited for an answer. */
import type { AnswerTimes } from '../answer-times.ts'
import { engine } from './command.ts'
import { nothing } from './inputs.ts'

export const answerCommands = {
  /** Of each inbox, from the mail on this computer alone: worked out when it is asked for, while everything else goes on. */
  'answer.times': engine<AnswerTimes>()('refused', nothing),
}
