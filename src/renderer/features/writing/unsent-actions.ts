import Clock from '@lucide/svelte/icons/clock'
import Pencil from '@lucide/svelte/icons/pencil'
import Send from '@lucide/svelte/icons/send-horizontal'
import Square from '@lucide/svelte/icons/square'
import Trash from '@lucide/svelte/icons/trash-2'
import Undo from '@lucide/svelte/icons/undo-2'
import type { DraftSummary } from '../../../shared/drafts.ts'
import type { Commands } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { askForSendTime } from '../threads/pickers.svelte.ts'
import { approveDraft, continueDraft, discardDraft, openDraft } from './commands.ts'
import { canResend, canStopSending, canTakeBack, isAwaitingApproval, isEditableDraft } from './describe-draft.ts'
import { consentName } from './describe-remote-replies.ts'
import { openOriginal } from './open-original.ts'

/** Actions for a message that has not been sent, the likeliest first. */
export const listUnsentActions = (
  { context, keymap }: Pick<Commands, 'context' | 'keymap'>,
  draft: DraftSummary,
  /** True in the list of replies drafted by others. */
  isForReview: boolean,
): readonly Action[] => {
  const { writing } = context.session
  const { sending } = writing
  const { id, state, isOurs } = draft
  const keysOf = (command: typeof approveDraft) => keymap.capsOf(command)?.join(' ')
  const action = (name: string, icon: Action['icon'], run: () => void) => ({ name, icon, run })
  const revert = (name: string, icon: Action['icon']) => action(name, icon, () => void sending.revert(id))
  const sendAgain = (name: string) => action(name, Send, () => void sending.sendAgain(id))
  const editing = (): readonly Action[] => {
    const isReviewed = isForReview && isAwaitingApproval(draft)
    const name = isOurs ? 'Continue writing' : isReviewed ? 'Edit' : 'Take over'
    return [
      ...(canResend(draft) ? [sendAgain('Try again')] : []),
      {
        ...action(name, Pencil, () => openDraft(context, id)),
        ...{ keys: keysOf(continueDraft), isPrimary: !isReviewed && !canResend(draft) },
      },
      {
        ...action('Discard', Trash, () => void writing.discard(id)),
        keys: keysOf(discardDraft),
      },
    ]
  }
  const own = (): readonly Action[] => {
    if (isEditableDraft(draft)) return editing()
    if (state.kind === 'held' && state.objection !== undefined) {
      return [revert('Open', Pencil), sendAgain(consentName(state.objection))]
    }
    if (canStopSending(draft)) return [revert('Stop and edit', Square)]
    if (!canTakeBack(draft)) return []
    const back = revert('Cancel and edit', Undo)
    if (state.kind !== 'scheduled') return [back]
    const { at } = state
    return [
      action('Reschedule…', Clock, () =>
        askForSendTime(context, 'reschedule', (time) => void sending.reschedule(draft, time), at),
      ),
      action('Send now', Send, () => void sending.sendNow(draft)),
      back,
    ]
  }
  return [...own(), ...openOriginal(context, draft)]
}

/** Sends the displayed draft, but no other one, unchanged. */
export const approvalOf = (commands: Commands): Action => ({
  name: 'Approve and send',
  icon: Send,
  keys: commands.keymap.capsOf(approveDraft)?.join(' '),
  isPrimary: true,
  isDisabled: !commands.context.session.writing.displayed.canApprove,
  run: () => commands.run(approveDraft),
})
