import type { Email } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import { visibleText } from '../../shared/visible-text.ts'
import type { AnsweredElsewhere, DraftContent, WritingKind, WritingTarget } from '../../shared/writing.ts'
import type { ListedDraft } from '../api/drafts.ts'
import { sentCopyOf } from '../delivery/sent-copy.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { snippetOf } from '../store/snippet.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import { sleep, type Clock } from '../timing/clock.ts'
import { createRecent } from '../timing/recent.ts'
import { assembleMessage } from './assemble-message.ts'
import type { DraftFiles } from './draft-files.ts'
import type { Begun, KeptDraft } from './kept-draft.ts'
import type { PlatformDrafts } from './platform-drafts.ts'

/** The longest that a person who sends a message waits for what the platform says. */
const PATIENCE_MS = 3_000
/** Within this time a thread is not looked at again. */
const FRESH_MS = 500
/** How many answers are told of: more than anybody reads before they decide. */
const MOST_ANSWERS = 20
/** Drafts of one thread that are remembered; more than any has. */
const MOST_DRAFTS = 100
/** Threads of which it is remembered what was sent from here and when they were looked at. */
const MOST_THREADS = 200
/** Messages from here that are remembered of a thread. */
const MOST_SENT = 20

/** Characters of a text by which it is known again, and of which they are made. */
const WORDS = 2_000
const READ_AT_MOST = 8_000

const NOTHING: AnsweredElsewhere = { answers: [], drafts: [] }

const isReply = (kind: WritingKind): boolean => kind === 'reply' || kind === 'replyAll'
const keyOf = (inboxId: string, threadId: string): string => JSON.stringify([inboxId, threadId])
/** As much of a text as tells one message from another. */
const wordsOf = (text: string): string => text.slice(0, READ_AT_MOST).replace(/\s+/g, ' ').trim().slice(0, WORDS)
const wordsSent = (content: DraftContent): string => wordsOf(assembleMessage(content).text)

interface AnswersElsewhereParts {
  readonly files: Pick<DraftFiles, 'all'>
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'sentEmails' | 'deliveries'>
  readonly theirs: Pick<PlatformDrafts, 'of' | 'look'>
  readonly threads: Pick<ThreadSync, 'readOn' | 'mayOfferEmails'>
  readonly isOnline: () => boolean
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * What was answered, or is being answered, elsewhere in the thread of a reply since that was begun. What came after what goes
 * by the platform's order and times alone: this computer's clock has no say.
 */
export class AnswersElsewhere {
  readonly #parts: AnswersElsewhereParts
  /** Words of messages that were sent from here, by their threads: the platform may name one otherwise than when it took it. */
  readonly #sent = createRecent<readonly string[]>(MOST_THREADS)
  readonly #lookedAt = createRecent<number>(MOST_THREADS)

  constructor(parts: AnswersElsewhereParts) {
    this.#parts = parts
  }

  /** What can be seen of a thread by somebody who begins a reply now; undefined for what is no reply. */
  begun(inboxId: string, kind: WritingKind, target: WritingTarget | null): Begun | undefined {
    const { cache, theirs } = this.#parts
    const inbox = this.#inboxOf(inboxId)
    if (!isReply(kind) || target === null || inbox === null) return undefined
    const newest = cache.emails.newest(inbox, target.threadId)
    if (newest === undefined) return undefined
    const drafts = theirs
      .of(inboxId)
      .filter(({ threadId }) => threadId === target.threadId)
      .slice(0, MOST_DRAFTS)
      .map(({ id, updatedAt }) => ({ id, updatedAt }))
    return { emailId: newest.id, receivedAt: newest.receivedAt, drafts }
  }

  /** Remember what leaves with a draft: it is no colleague's, by whatever ID it comes back. */
  sent({ inboxId, target, content }: Pick<KeptDraft, 'inboxId' | 'target' | 'content'>): void {
    const words = wordsSent(content)
    if (target === null || words === '') return
    const key = keyOf(inboxId, target.threadId)
    this.#sent.put(key, [...(this.#sent.get(key) ?? []), words].slice(-MOST_SENT))
  }

  /** What is known of it here, without a request. */
  known(draft: KeptDraft): AnsweredElsewhere {
    const { begun, target } = draft
    const inbox = this.#inboxOf(draft.inboxId)
    if (begun === undefined || target === null || inbox === null) return NOTHING
    return {
      answers: this.#answers(inbox, target.threadId, begun),
      drafts: this.#drafts(draft.inboxId, target.threadId, begun),
    }
  }

  /** The newest e-mails of a thread that the inbox sent, without those from here. @param emails oldest first */
  sentElsewhere(inbox: InboxRef, emails: readonly Email[], most: number): readonly Email[] {
    return emails
      .filter(({ direction }) => direction === 'outbound')
      .slice(-most)
      .filter((email) => !this.#isFromHere(inbox, email))
  }

  /**
   * The same, with a look at the platform before: two requests for a person who waits, and none for longer than they are worth
   * a wait. What the platform does not say holds nothing up.
   */
  async look(draft: KeptDraft): Promise<AnsweredElsewhere> {
    const { begun, target, inboxId } = draft
    const inbox = this.#inboxOf(inboxId)
    if (begun === undefined || target === null || inbox === null) return NOTHING
    const isListed = await this.#lookAt(inbox, target.threadId)
    const { answers, drafts } = this.known(draft)
    // A list that could not be read may tell of drafts that are long gone.
    return { answers, drafts: isListed ? drafts : [] }
  }

  /** @returns whether the drafts are known as they are by now */
  async #lookAt(inbox: InboxRef, threadId: string): Promise<boolean> {
    const { threads, theirs, isOnline, clock, signal } = this.#parts
    if (!isOnline() || signal.aborted) return false
    const ending = new AbortController()
    const until = AbortSignal.any([signal, ending.signal])
    const late = sleep(clock, PATIENCE_MS, until, { unref: true }).catch(() => undefined)
    const key = keyOf(inbox.id, threadId)
    const isFresh = clock.elapsed() - (this.#lookedAt.get(key) ?? -Infinity) < FRESH_MS
    const read = async (): Promise<void> => {
      if (isFresh || !threads.mayOfferEmails(inbox)) return
      const askedAt = clock.elapsed()
      await threads.readOn(inbox, threadId, until)
      this.#lookedAt.put(key, askedAt)
    }
    let isListed = false
    const list = async (): Promise<void> => {
      isListed = await theirs.look(inbox.id, FRESH_MS)
    }
    await Promise.race([late, Promise.all([this.#tolerant(read(), until), this.#tolerant(list(), until)])])
    ending.abort(new ProblemError({ code: 'cancelled', message: 'The message does not wait any longer.' }))
    return isListed
  }

  /** What the platform refuses or cannot say is no reason not to send. */
  async #tolerant(work: Promise<void>, until: AbortSignal): Promise<void> {
    await work.catch((thrown: unknown) => {
      if (!until.aborted && !(thrown instanceof ProblemError)) this.#parts.report(thrown)
    })
  }

  #answers(inbox: InboxRef, threadId: string, begun: Begun): AnsweredElsewhere['answers'] {
    const emails = this.#parts.cache.emails.ofThread(inbox, threadId, true)
    const seen = emails.findIndex(({ id }) => id === begun.emailId)
    // What the platform dates anew does not become news by that.
    const later = emails.filter(({ receivedAt }, at) => at > seen && receivedAt >= begun.receivedAt)
    return this.sentElsewhere(inbox, later, MOST_ANSWERS).map(({ id, from, receivedAt, html, text, apart }) => ({
      emailId: id,
      from: visibleText(from),
      at: receivedAt,
      snippet: snippetOf({ html, text: text ?? apart?.beginning ?? null }),
    }))
  }

  #drafts(inboxId: string, threadId: string, begun: Begun): AnsweredElsewhere['drafts'] {
    const all = this.#parts.files.all()
    const ours = new Set(all.flatMap(({ id, platform }) => [id, platform?.id ?? id]))
    // What was asked for and not answered may be there already, by an ID that is not known here yet.
    const asked = new Set(
      all.flatMap(({ request, platform, target }) =>
        request === null || platform !== null || target === null ? [] : [target.emailId],
      ),
    )
    const isAsBefore = ({ id, updatedAt }: ListedDraft): boolean =>
      begun.drafts.some((draft) => draft.id === id && draft.updatedAt === updatedAt)
    return this.#parts.theirs
      .of(inboxId)
      .filter(
        (draft) =>
          draft.threadId === threadId &&
          !ours.has(draft.id) &&
          !asked.has(draft.replyToEmailId ?? '') &&
          !isAsBefore(draft) &&
          // What was begun before the newest e-mail came, and left since, is nobody's answer to it.
          (draft.updatedAt === null || draft.updatedAt >= begun.receivedAt),
      )
      .slice(0, MOST_DRAFTS)
      .map(({ updatedAt, snippet }) => ({
        changedAt: updatedAt,
        snippet: snippetOf({ html: null, text: snippet }),
      }))
  }

  /** Whether this computer has sent an e-mail: by the ID that it was given, or by its words where the answer was lost. */
  #isFromHere(inbox: InboxRef, email: Email): boolean {
    const { cache, files } = this.#parts
    const { deliveries, sentEmails } = cache
    if (deliveries.isFromHere(email.id)) return true
    const copy = sentCopyOf(sentEmails, email)
    if (copy !== undefined && deliveries.isFromHere(copy.id)) return true
    const mayHaveLeft = files
      .all()
      .filter(
        ({ target, sending }) => target?.threadId === email.threadId && sending !== null && sending.askedAt !== null,
      )
      .map(({ content }) => wordsSent(content))
    const words = wordsOf(email.text ?? email.apart?.beginning ?? '')
    if (words === '') return false
    // Of a large one only the beginning is at hand.
    return [...mayHaveLeft, ...(this.#sent.get(keyOf(inbox.id, email.threadId)) ?? [])].some((own) =>
      email.apart === null ? own === words : own.startsWith(words),
    )
  }

  #inboxOf(inboxId: string): InboxRef | null {
    const stored = this.#parts.cache.inboxes.get(inboxId)
    return stored === undefined ? null : { key: stored.key, id: inboxId }
  }
}
