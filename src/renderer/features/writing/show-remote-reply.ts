import { tick } from 'svelte'
import type { CommandContext } from '../../kernel/commands.ts'
import { formatAccountRoute } from '../../kernel/route.ts'
import { routeOfThread } from '../threads/open-conversation.ts'
import { openWindow } from '../windows/commands.ts'
import { readThread } from './open-original.ts'
import type { OpenComposer } from './open-composer.svelte.ts'

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
  place: 'thread' | 'pane' | 'window',
): Promise<void> => {
  const { shell, session, navigator } = context
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
    navigator.visit(there)
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
