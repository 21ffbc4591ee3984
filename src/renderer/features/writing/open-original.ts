import type { DraftSummary } from '../../../shared/drafts.ts'
import type { Conversation } from '../../../shared/contract.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { openConversation, routeOfThread } from '../threads/open-conversation.ts'
import { tick } from 'svelte'
import { formatAccountRoute } from '../../kernel/route.ts'
import { openWindow } from '../windows/commands.ts'
import type { ComposerPlace } from './composer-form.svelte.ts'
import type { OpenComposer } from './open-composer.svelte.ts'

/**
 * Reads a thread to open it.
 * @returns null if it can't be read, which the user is told, or if the user has navigated elsewhere in the meantime
 */
export const readThread = async (
  { shell }: CommandContext,
  { inboxId, threadId }: { readonly inboxId: string; readonly threadId: string },
): Promise<Conversation | null> => {
  const { current: route } = shell.route
  const opened = await shell.backend.call('thread.open', { inboxId, threadId })
  if (opened.ok) return shell.route.current === route ? opened.data : null
  shell.toasts.problem(opened.error)
  return null
}

/** Action that opens the conversation an unsent message replies to; empty for a new message. */
export const openOriginal = (
  context: CommandContext,
  { inboxId, target }: Pick<DraftSummary, 'inboxId' | 'target'>,
): readonly Action[] => {
  if (target === null) return []
  const { threadId, emailId } = target
  const run = async (): Promise<void> => {
    const found = await readThread(context, { inboxId, threadId })
    if (found !== null) context.shell.route.visit(routeOfThread(found.thread, emailId))
  }
  const { name, icon } = openConversation
  return [{ name, icon, run: () => void run() }]
}

/** Maximum number of attempts to find a reply's element: a new reply may not be rendered yet. */
const MAX_ATTEMPTS = 30
const RETRY_DELAY_MS = 100

const elementOf = (emailId: string | null): HTMLElement | null =>
  document.querySelector<HTMLElement>(
    emailId === null ? '[data-drafted-elsewhere]' : `article[data-email-id="${CSS.escape(emailId)}"]`,
  )

/** Moves the composer into its conversation without taking focus or scrolling. */
const moveBelow = (composing: OpenComposer): void => {
  composing.isReopened = true
  composing.isLarge = false
  composing.isApart = false
}

/** Scrolls to the other person's reply and leaves the draft as it is. */
export const showRemoteReply = async (
  context: CommandContext,
  composing: OpenComposer,
  place: ComposerPlace,
): Promise<void> => {
  const { shell, session } = context
  const { target, inboxId } = composing.editing
  if (target === null) return
  const { threadId } = target
  const emailId = composing.elsewhere.answers.at(-1)?.emailId ?? null
  const isOpen = place !== 'window' && session.conversation.threadId === threadId
  if (!isOpen) {
    const found = await readThread(context, { inboxId, threadId })
    if (found === null) return
    const there = routeOfThread(found.thread, emailId)
    if (place === 'window') return openWindow(shell, formatAccountRoute(there, shell.route.accountId).slice(1))
    moveBelow(composing)
    shell.route.visit(there)
    return
  }
  if (composing.isLarge || composing.isApart) moveBelow(composing)
  for (let look = 0; look < MAX_ATTEMPTS; look += 1) {
    if (emailId !== null) session.conversation.folds?.expand(emailId, true)
    await tick()
    const element = elementOf(emailId)
    if (element !== null) {
      element.focus({ preventScroll: true })
      element.scrollIntoView({ block: 'start', behavior: 'instant' })
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
    // Retry: rendering during opening, or removing the question, can drop focus to the body.
    if (element !== null && document.activeElement !== document.body) return
    if (session.conversation.threadId !== threadId) return
  }
}
