import type { Email } from '../../../shared/model.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { RemoteReplies, DraftContent, DraftKind, DraftTarget } from '../../../shared/drafts.ts'
import type { ListedDraft } from '../../platform/resources/drafts.ts'
import { findSentCopy } from '../../store/same-message.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { extractSnippet } from '../../store/snippet.ts'
import { sleep } from '../../timing/clock.ts'
import { createRecentMap } from '../../timing/recent-map.ts'
import { assembleMessage } from './assemble-message.ts'
import type { ReplyStart, LocalDraft } from '../../own/drafts/local-draft.ts'
import { isOwnCopy } from './unsent-reply.ts'
import type { DraftParts } from './writing-parts.ts'

/** Longest wait for the platform when the user sends a message, in milliseconds. */
const PATIENCE_MS = 3_000
/** Minimum interval between checks of a thread, in milliseconds. */
const FRESH_MS = 500
/** Maximum replies to report; nobody reads more before deciding. */
const MAX_ANSWERS = 20
/** Maximum drafts to remember per thread; none has this many. */
const MAX_DRAFTS = 100
/** Threads to remember with their sent messages and check times. */
const MAX_THREADS = 200
const MAX_SENT = 20

/** Length of the text that identifies a message, and of the source text to read for it. */
const COMPARED_LENGTH = 2_000
const MAX_SOURCE_LENGTH = 8_000

const NOTHING: RemoteReplies = { answers: [], drafts: [] }

const isReply = (kind: DraftKind): boolean => kind === 'reply' || kind === 'replyAll'
const keyOf = (inboxId: string, threadId: string): string => JSON.stringify([inboxId, threadId])
const comparableText = (text: string): string =>
  text.slice(0, MAX_SOURCE_LENGTH).replace(/\s+/g, ' ').trim().slice(0, COMPARED_LENGTH)
const sentText = (content: DraftContent): string => comparableText(assembleMessage(content).text)

/**
 * Replies and drafts by others since the user began replying. "Since" relies only on the platform's order and times,
 * never on the local clock.
 */
export class RemoteReplyCheck {
  readonly #parts: Omit<DraftParts, 'remoteReplies' | 'transfers'>
  /** Texts of sent messages by thread, because the platform may change an ID after accepting it. */
  readonly #sent = createRecentMap<readonly string[]>(MAX_THREADS)
  readonly #checkedAt = createRecentMap<number>(MAX_THREADS)

  constructor(parts: Omit<DraftParts, 'remoteReplies' | 'transfers'>) {
    this.#parts = parts
  }

  /** State of the thread when the user begins a reply; undefined if it isn't a reply. */
  begun(inboxId: string, kind: DraftKind, target: DraftTarget | null): ReplyStart | undefined {
    const { cache, theirs } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (!isReply(kind) || target === null || inbox === undefined) return undefined
    const newest = cache.emails.newest(inbox, target.threadId)
    if (newest === undefined) return undefined
    const drafts = theirs
      .of(inboxId)
      .filter(({ threadId }) => threadId === target.threadId)
      .slice(0, MAX_DRAFTS)
      .map(({ id, updatedAt }) => ({ id, updatedAt }))
    return { emailId: newest.id, receivedAt: newest.receivedAt, drafts }
  }

  /** Remembers a message sent from here, so that it isn't taken for a colleague's, whatever ID it gets. */
  sent({ inboxId, target, content }: Pick<LocalDraft, 'inboxId' | 'target' | 'content'>): void {
    const words = sentText(content)
    if (target === null || words === '') return
    const key = keyOf(inboxId, target.threadId)
    this.#sent.put(key, [...(this.#sent.get(key) ?? []), words].slice(-MAX_SENT))
  }

  /** Known replies and drafts, without a request. */
  known(draft: LocalDraft): RemoteReplies {
    const { begun, target } = draft
    const inbox = this.#parts.cache.inboxes.get(draft.inboxId)
    if (begun === undefined || target === null || inbox === undefined) return NOTHING
    return {
      answers: this.#answers(inbox, target.threadId, begun),
      drafts: this.#drafts(draft.inboxId, target.threadId, begun),
    }
  }

  /** Newest e-mails that the inbox sent in a thread, except those sent from here. @param emails oldest first */
  sentElsewhere(inbox: InboxRef, emails: readonly Email[], most: number): readonly Email[] {
    return emails
      .filter(({ direction }) => direction === 'outbound')
      .slice(-most)
      .filter((email) => !this.#isFromHere(inbox, email))
  }

  /** Like `known`, but checks the platform first, with a time limit. Failures don't block sending. */
  async look(draft: LocalDraft): Promise<RemoteReplies> {
    const { begun, target, inboxId } = draft
    const inbox = this.#parts.cache.inboxes.get(inboxId)
    if (begun === undefined || target === null || inbox === undefined) return NOTHING
    const isListed = await this.#check(inbox, target.threadId)
    const { answers, drafts } = this.known(draft)
    // If the list wasn't read, it may include drafts that no longer exist.
    return { answers, drafts: isListed ? drafts : [] }
  }

  /** @returns true if the list of drafts is current */
  async #check(inbox: InboxRef, threadId: string): Promise<boolean> {
    const { threads, theirs, isOnline, report, clock, signal } = this.#parts
    if (!isOnline() || signal.aborted) return false
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const late = sleep(clock, PATIENCE_MS, until, { unref: true }).catch(() => undefined)
    const key = keyOf(inbox.id, threadId)
    const isFresh = clock.elapsed() - (this.#checkedAt.get(key) ?? -Infinity) < FRESH_MS
    const read = async (): Promise<void> => {
      if (isFresh || !threads.mayOfferEmails(inbox)) return
      const askedAt = clock.elapsed()
      await threads.readNewer(inbox, threadId, until)
      this.#checkedAt.put(key, askedAt)
    }
    let isListed = false
    const list = async (): Promise<void> => {
      isListed = await theirs.look(inbox.id, FRESH_MS)
    }
    // Errors of these checks don't prevent sending.
    const ignoreErrors = (thrown: unknown): void => {
      if (!until.aborted && !(thrown instanceof ProblemError)) report(thrown)
    }
    await Promise.race([late, Promise.all([read().catch(ignoreErrors), list().catch(ignoreErrors)])])
    ending.abort(createProblem('cancelled', 'The check for other replies has ended.'))
    return isListed
  }

  #answers(inbox: InboxRef, threadId: string, begun: ReplyStart): RemoteReplies['answers'] {
    const emails = this.#parts.cache.emails.ofThread(inbox, threadId, true)
    const seen = emails.findIndex(({ id }) => id === begun.emailId)
    // An e-mail with a changed date is not a new one.
    const later = emails.filter(({ receivedAt }, at) => at > seen && receivedAt >= begun.receivedAt)
    return this.sentElsewhere(inbox, later, MAX_ANSWERS).map(({ id, from, receivedAt, html, text, apart }) => ({
      emailId: id,
      from: toVisibleText(from),
      at: receivedAt,
      snippet: extractSnippet({ html, text: text ?? apart?.beginning ?? null }),
    }))
  }

  #drafts(inboxId: string, threadId: string, begun: ReplyStart): RemoteReplies['drafts'] {
    const all = this.#parts.files.all()
    const isAsBefore = ({ id, updatedAt }: ListedDraft): boolean =>
      begun.drafts.some((draft) => draft.id === id && draft.updatedAt === updatedAt)
    return this.#parts.theirs
      .of(inboxId)
      .filter(
        (draft) =>
          draft.threadId === threadId &&
          !isOwnCopy(all, draft) &&
          !isAsBefore(draft) &&
          // A draft last changed before the newest e-mail arrived can't be a reply to it.
          (draft.updatedAt === null || draft.updatedAt >= begun.receivedAt),
      )
      .slice(0, MAX_DRAFTS)
      .map(({ updatedAt, snippet }) => ({
        changedAt: updatedAt,
        snippet: extractSnippet({ html: null, text: snippet }),
      }))
  }

  /** Returns true if an e-mail was sent from here: by its ID, or by its text if the response was lost. */
  #isFromHere(inbox: InboxRef, email: Email): boolean {
    const { cache, files } = this.#parts
    const { deliveries, sentEmails } = cache
    if (deliveries.isFromHere(email.id)) return true
    const copy = findSentCopy(sentEmails, email)
    if (copy !== undefined && deliveries.isFromHere(copy.id)) return true
    const mayHaveLeft = files
      .all()
      .filter(
        ({ target, sending }) => target?.threadId === email.threadId && sending !== null && sending.askedAt !== null,
      )
      .map(({ content }) => sentText(content))
    const words = comparableText(email.text ?? email.apart?.beginning ?? '')
    if (words === '') return false
    // Only the start of a large e-mail is loaded.
    return [...mayHaveLeft, ...(this.#sent.get(keyOf(inbox.id, email.threadId)) ?? [])].some((own) =>
      email.apart === null ? own === words : own.startsWith(words),
    )
  }
}
