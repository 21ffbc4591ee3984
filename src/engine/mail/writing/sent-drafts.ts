import { catchMissing } from '../../platform/platform-problem.ts'
import { ProblemError } from '../../../shared/result.ts'
import type { CallOptions } from '../../platform/requests.ts'
import type { EventHub } from '../../own/event-hub.ts'
import { screenOptions } from '../../own/outbox/changes/change-dependencies.ts'
import { settleAll } from '../../timing/settle-all.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'
import type { DraftParts } from './writing-parts.ts'

/** The steps after the platform has a message. They are idempotent, so a crash repeats them safely. */
export class SentDrafts {
  readonly #parts: Omit<DraftParts, 'transfers'>

  constructor(parts: Omit<DraftParts, 'transfers'>) {
    this.#parts = parts
  }

  async finish(draft: LocalDraft, emailId: string, ending: AbortSignal): Promise<void> {
    const { files, theirs, remoteReplies, deliveries, outbox } = this.#parts
    const { id: draftId, inboxId, target, sending, remindAt } = draft
    const options = screenOptions(ending)
    await this.removeLeftover(draft, options)
    const threadId = await this.#threadOf(draft, options)
    const isToArchive = sending?.archive === true && sending.archivedBy === undefined
    if (isToArchive && target !== null) {
      outbox.changeThreads(inboxId, [{ threadId: target.threadId, change: { folder: 'archive' } }])
    }
    if (remindAt !== undefined && threadId !== null) this.#remind(inboxId, threadId, emailId, remindAt)
    if (draft.platform !== null && draft.theirs === null) theirs.drop(draft.platform.id)
    // Record the delivery before removing the draft, so that a crash loses nothing.
    deliveries.follow({ sentId: emailId, inboxId, threadId })
    remoteReplies.sent(draft)
    files.remove(draftId)
    this.#show({ draftId, inboxId, threadId, emailId })
  }

  /** Deletes the platform's draft if the message was sent another way. */
  async removeLeftover({ platform: there, sending, theirs }: LocalDraft, options: CallOptions): Promise<void> {
    // Keep a draft that somebody else has changed.
    if (sending?.way?.kind === 'draft' || there === null || theirs !== null) return
    await this.#parts.theirs.delete(there, options)
  }

  /** Sets a reminder that returns the thread if no one replies. */
  #remind(inboxId: string, threadId: string, emailId: string, remindAt: number): void {
    const { cache, outbox } = this.#parts
    const of = cache.inboxes.get(inboxId)
    const seen = of && cache.threads.currentState(of, threadId)
    const change = { remindAt }
    if (of === undefined || seen === undefined) return void outbox.changeThreads(inboxId, [{ threadId, change }])
    // The thread's row may be older than its mail, so use the time of the message if stored, or of the newest stored
    // e-mail.
    const { receivedAt } =
      cache.emails.get(of, threadId, emailId) ?? cache.emails.arrivedSince(of, threadId, seen.receivedAt).at(-1) ?? seen
    outbox.changeThreads(inboxId, [{ threadId, change, seen: { ...seen, receivedAt } }])
  }

  /** The message's thread, if the platform reports it. */
  async #threadOf(draft: LocalDraft, options: CallOptions): Promise<string | null> {
    const { target, kind, sending, platform: there } = draft
    if (target !== null && kind !== 'new') return target.threadId
    const way = sending?.way
    if (way?.kind !== 'draft' || there === null) return null
    const found = await catchMissing(this.#parts.platform.getDraft(way.inboxId, there.id, options))
    return found?.threadId ?? null
  }

  #show(message: Parameters<EventHub['sent']>[0]): void {
    const { hub, report } = this.#parts
    hub.sent(message)
    this.#readChanged(message).catch((thrown: unknown) => {
      if (!(thrown instanceof ProblemError)) report(thrown)
    })
  }

  /** Fetches the effects of a sent message: its thread, the thread's list, and the sent e-mails. */
  async #readChanged({ inboxId, threadId }: Parameters<EventHub['sent']>[0]): Promise<void> {
    const { threads, lists, cache } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) return
    await settleAll([
      threadId === null ? threads.news(inbox, 'screen') : threads.refetch(inbox, threadId, 'screen'),
      lists.news('sent e-mails', 'sync'),
    ])
  }
}
