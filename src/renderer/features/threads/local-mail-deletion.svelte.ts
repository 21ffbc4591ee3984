import type { LocalMailCount } from '../../../shared/contract.ts'
import type { Result } from '../../../shared/result.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Question } from '../../kernel/question-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ChosenThreads } from './chosen-threads.ts'

const describeDeletion = (count: LocalMailCount | null): string => {
  if (count === null) return 'Counting messages stored only on this computer…'
  const { threads, emails, others } = count
  const stay =
    others === 0
      ? ''
      : ` ${formatCount(others, 'other thread')} you selected ${others === 1 ? 'is' : 'are'} on the platform and ${others === 1 ? 'stays' : 'stay'} there.`
  if (threads === 0) return `Nothing you selected is stored only on this computer.${stay}`
  const what = `${formatCount(emails, 'message')} in ${formatCount(threads, 'thread')}, with all attachments`
  return `${what}. The platform has deleted ${emails === 1 ? 'it, so this is the only copy' : 'them, so these are the only copies'}. You cannot undo this.${stay}`
}

interface Deletion extends Pick<Question, 'description' | 'isPossible'> {
  readonly run: () => Promise<Result<{ readonly emails: number } | null>>
  /** Navigates away from the mail that is deleted. */
  readonly onDeleted: () => void
}

/** Deletes mail that the platform has dropped, after confirmation: no other copy exists, and it cannot be undone. */
const askToDelete = ({ shell, session }: CommandContext, deletion: Deletion): Question => {
  let deleted = 1
  const question: Question = {
    title: 'Delete from this computer',
    get description() {
      return deletion.description
    },
    action: 'Delete for good',
    isDestructive: true,
    isPossible: (typed) => deletion.isPossible?.(typed) ?? true,
    answer: async () => {
      const result = await deletion.run()
      if (!result.ok) return result.error
      deleted = result.data?.emails ?? 1
      return null
    },
    onDone: () => {
      deletion.onDeleted()
      shell.toasts.show(`Deleted ${formatCount(deleted, 'message')} from this computer.`)
    },
  }
  session.questions.ask(question)
  return question
}

/** @param onDeleted navigates away from the deleted threads */
export const askToDeleteThreads = (
  context: CommandContext,
  { inboxId, threads, matching }: ChosenThreads,
  onDeleted: () => void,
): void => {
  const { backend } = context.shell
  let count = $state.raw<LocalMailCount | null>(null)
  const input =
    matching === null
      ? { inboxId, threadIds: threads.map(({ id }) => id) }
      : { inboxId, matching: { query: matching.query, upTo: matching.upTo, except: [...matching.except] } }
  const question = askToDelete(context, {
    get description() {
      return describeDeletion(count)
    },
    isPossible: () => (count?.threads ?? 0) > 0,
    run: () => backend.call('thread.deleteKept', input),
    onDeleted,
  })
  void backend.call('thread.countKept', input).then((result) => {
    if (result.ok) count = result.data
    else context.session.questions.fail(question, result.error)
  })
}

export const askToDeleteEmail = (
  context: CommandContext,
  { list, id }: { readonly list: 'received' | 'sent'; readonly id: string },
): void => {
  askToDelete(context, {
    description:
      'The platform has deleted this message, so this is the only copy. Its attachments will be deleted too. You cannot undo this.',
    run: () =>
      context.shell.backend.call(list === 'received' ? 'receivedEmail.deleteKept' : 'sentEmail.deleteKept', { id }),
    onDeleted: () => context.navigator.replaceOpen(null),
  })
}
