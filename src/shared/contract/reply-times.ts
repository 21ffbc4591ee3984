import type { ReplyTimes } from '../reply-times.ts'
import { defineEngineCommand } from './command.ts'
import { emptyInputSchema } from './inputs.ts'

export const replyTimeCommands = {
  /** Reply times per inbox, based on local mail only. Computed on request, without blocking other work. */
  'answer.times': defineEngineCommand<ReplyTimes>()('refused', emptyInputSchema),
}
