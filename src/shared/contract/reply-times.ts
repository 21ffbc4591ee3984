import type { ReplyTimes } from '../reply-times.ts'
import { engine } from './command.ts'
import { nothing } from './inputs.ts'

export const replyTimeCommands = {
  /** Reply times per inbox, based on local mail only. Computed on request, without blocking other work. */
  'answer.times': engine<ReplyTimes>()('refused', nothing),
}
