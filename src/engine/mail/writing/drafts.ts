import { randomUUID } from 'node:crypto'
import type {
  Elsewhere,
  Draft,
  DraftContent,
  DraftSummary,
  OriginalHeaders,
  SendRefusal,
  DraftKind,
  DraftTarget,
} from '../../../shared/drafts.ts'
import { isNotFound } from '../../platform/platform-problem.ts'
import { withMessage } from '../../platform/problem.ts'
import { DraftAttachments } from './draft-attachments.ts'
import type { DraftSync } from './draft-sync.ts'
import { applyToDraft, checkWritable } from './draft-table.ts'
import {
  isDraftEditable,
  isSavedOnPlatform,
  toDraftState,
  type LocalDraft,
  hasGivenUp,
} from '../../own/drafts/local-draft.ts'
import { findByPlatformId, isOwnCopy } from './unsent-reply.ts'
import type { ListedDraft } from '../../platform/resources/drafts.ts'
import { toDraftContent, toRecipient } from './platform-content.ts'
import { withToldReplies } from './send-objection.ts'
import { describeUploadFailure } from './sending-refusal.ts'
import type { DraftParts } from './writing-parts.ts'
import { extractSnippet } from '../../store/snippet.ts'
import { createProblem } from '../../../shared/result.ts'

/** Maximum age of the draft list while the user writes a reply. */
const WHILE_WRITING_MS = 30_000

const GONE = 'This draft no longer exists.'
const CHANGED_ELSEWHERE = 'This draft was changed in another window. Open it again to see the changes.'

const newDraft = (
  draft: Pick<LocalDraft, 'id' | 'inboxId' | 'kind' | 'target' | 'content' | 'isOurs' | 'begun'>,
  at: number,
): LocalDraft => ({
  ...draft,
  ...{ revision: 0, state: { kind: 'open' }, platform: null, theirs: null, request: null },
  ...{ standsAlone: false, notKept: null, sending: null, discardedAt: null },
  ...{ createdAt: at, updatedAt: at },
})

interface DraftsParts extends DraftParts {
  readonly sync: DraftSync
}

const notKeptOf = (draft: LocalDraft): SendRefusal | null => {
  if (isSavedOnPlatform(draft)) return null
  if (draft.notKept?.revision === draft.revision) return draft.notKept.reason
  // For a message being sent, `state` already shows the failure.
  return draft.state.kind === 'open' && hasGivenUp(draft) ? describeUploadFailure(draft) : null
}

const summaryOf = (draft: LocalDraft, upload: DraftSummary['upload']): DraftSummary => ({
  id: draft.id,
  inboxId: draft.inboxId,
  kind: draft.kind,
  target: draft.target,
  to: draft.content.to,
  subject: draft.content.subject,
  snippet: extractSnippet({ text: draft.content.text, html: null }) ?? '',
  state: toDraftState(draft),
  updatedAt: Math.max(draft.updatedAt, draft.theirs?.updatedAt ?? 0),
  files: draft.content.files.length,
  isOurs: draft.isOurs,
  isSynced: isSavedOnPlatform(draft) && draft.theirs === null,
  hasConflict: draft.theirs !== null,
  notKept: notKeptOf(draft),
  upload,
})

const summaryOfPlatform = (inboxId: string, draft: ListedDraft): DraftSummary => ({
  id: draft.id,
  inboxId,
  kind: draft.replyToEmailId === null ? 'new' : 'reply',
  target:
    draft.threadId === null || draft.replyToEmailId === null
      ? null
      : { threadId: draft.threadId, emailId: draft.replyToEmailId },
  to: draft.to.map(toRecipient),
  subject: draft.subject ?? '',
  snippet: draft.snippet ?? '',
  state: { kind: 'open' },
  updatedAt: draft.updatedAt ?? 0,
  files: draft.files,
  isOurs: false,
  isSynced: true,
  hasConflict: false,
  notKept: null,
  upload: null,
})

/** The draft operations of an account. All throw `not_found` for unknown drafts. */
export class Drafts {
  readonly attachments: DraftAttachments
  readonly #parts: DraftsParts
  /** Platform drafts opened so far, which can be taken over. */
  readonly #opened = new Map<string, LocalDraft>()

  constructor(parts: DraftsParts) {
    const { files, attachments, clock } = parts
    this.#parts = parts
    this.attachments = new DraftAttachments({
      ...{ bytes: files.bytes, attachments, now: clock.now },
      draft: (id) => this.#known(id),
    })
  }

  /** Newest change first; all inboxes if none is given. @param cacheOnly doesn't refresh from the platform */
  list(inboxId?: string, cacheOnly = false): readonly DraftSummary[] {
    const { files, cache, theirs, transfers } = this.#parts
    const kept = files.all()
    const own = kept
      .filter(({ discardedAt, isUntouched }) => discardedAt === null && isUntouched !== true)
      .map((draft) => summaryOf(draft, transfers.progressOf(draft.id)))
    const inboxes = inboxId === undefined ? cache.inboxes.all().map(({ inbox }) => inbox.id) : [inboxId]
    if (!cacheOnly) for (const each of inboxes) theirs.refresh(each)
    const there = inboxes.flatMap((each) =>
      theirs.of(each).flatMap((draft) => (isOwnCopy(kept, draft) ? [] : summaryOfPlatform(each, draft))),
    )
    return [...own.filter((draft) => inboxId === undefined || draft.inboxId === inboxId), ...there].toSorted(
      (one, other) => other.updatedAt - one.updatedAt,
    )
  }

  async open(id: string): Promise<Draft> {
    return this.#toDraft(await this.#load(id))
  }

  create(
    inboxId: string,
    kind: DraftKind,
    target: DraftTarget | null,
    content: DraftContent,
    isUntouched = false,
  ): { readonly draftId: string; readonly revision: number } {
    this.#checkInbox(inboxId)
    const begun = this.#parts.remoteReplies.begun(inboxId, kind, target)
    const draft = this.#begin({ inboxId, kind, target, content, isOurs: true, begun })
    this.#checkForOtherReplies(draft)
    this.#put(isUntouched ? { ...draft, isUntouched } : draft)
    return { draftId: draft.id, revision: draft.revision }
  }

  /** @param revision the revision the edit is based on @returns the new revision @throws ProblemError `conflict` */
  save(id: string, revision: number, content: DraftContent, inboxId?: string): number {
    const before = this.#known(id)
    const { draft } = applyToDraft(before, { kind: 'edit', revision, content, inboxId, at: this.#parts.clock.now() })
    if (inboxId !== undefined) this.#checkInbox(inboxId)
    this.#checkForOtherReplies(before)
    this.#put(draft)
    return draft.revision
  }

  /** Stores an opened platform draft locally, unchanged, so it can be sent from here. */
  takeOver(id: string): void {
    const draft = this.#parts.files.get(id) === undefined ? this.#opened.get(id) : undefined
    if (draft !== undefined) this.#put(this.#known(draft.id))
  }

  /** Sets when the thread returns if nobody replies to the sent message; null for never. Stays local. */
  remind(id: string, remindAt: number | null): void {
    const { remindAt: _before, ...draft } = this.#known(id)
    checkWritable(draft)
    this.#parts.files.put(remindAt === null ? draft : { ...draft, remindAt })
  }

  /**
   * Changes that others have made since this draft was started: another version of it, and replies in its thread.
   * @param cacheOnly makes no request
   * @param isSeen true if the user has looked at them
   */
  async elsewhere(id: string, cacheOnly: boolean, isSeen: boolean): Promise<Elsewhere> {
    const { remoteReplies, files } = this.#parts
    const draft = this.#known(id)
    const found = cacheOnly ? remoteReplies.known(draft) : await remoteReplies.look(draft)
    const stored = files.get(id)
    if (isSeen && stored !== undefined) files.put(withToldReplies(stored, found))
    return { ...found, theirs: draft.theirs?.content ?? null }
  }

  async discard(id: string): Promise<void> {
    // Fetch the text so the draft can be restored.
    const draft = await this.#load(id)
    if (draft.id !== id) throw createProblem('conflict', CHANGED_ELSEWHERE)
    checkWritable(draft)
    this.#put({ ...draft, discardedAt: this.#parts.clock.now() })
    this.#parts.transfers.stop(id)
  }

  restore(id: string): void {
    const draft = this.#parts.files.get(id)
    if (draft === undefined || !isDraftEditable(draft)) {
      throw createProblem('not_found', 'This draft was deleted for good, or sent.')
    }
    if (draft.discardedAt !== null) this.#put({ ...draft, discardedAt: null, updatedAt: this.#parts.clock.now() })
  }

  /** Resolves a conflict with the platform's version. */
  resolveConflict(id: string, choice: 'ours' | 'theirs' | 'both'): Draft {
    const draft = this.#parts.files.find(id)
    checkWritable(draft)
    const { inboxId, theirs, platform } = draft
    if (theirs === null) return this.#toDraft(draft)
    if (choice === 'both') {
      this.#put(this.#begin({ inboxId, kind: 'new', target: null, content: theirs.content, isOurs: false }))
    }
    const isTheirs = choice === 'theirs'
    const revision = draft.revision + 1
    this.#put({
      ...draft,
      content: isTheirs ? theirs.content : draft.content,
      revision,
      platform: platform && { ...platform, seen: theirs, revision: isTheirs ? revision : null },
      theirs: null,
      sending: isTheirs ? null : draft.sending,
      updatedAt: this.#parts.clock.now(),
    })
    return this.#toDraft(this.#parts.files.find(id))
  }

  /** Someone else may be answering the same e-mail. Check while the user is typing, not while they are idle. */
  #checkForOtherReplies({ inboxId, begun }: LocalDraft): void {
    if (begun !== undefined) this.#parts.theirs.refreshIfOlder(inboxId, WHILE_WRITING_MS)
  }

  #begin(draft: Pick<LocalDraft, 'inboxId' | 'kind' | 'target' | 'content' | 'isOurs' | 'begun'>): LocalDraft {
    return newDraft({ ...draft, id: `draft-${randomUUID()}` }, this.#parts.clock.now())
  }

  #put(draft: LocalDraft): void {
    this.#parts.files.put(draft)
    this.#parts.sync.changed(draft.id)
  }

  /** Returns a local draft, or a platform draft that was opened. */
  #known(id: string): LocalDraft {
    const { files } = this.#parts
    // A local draft has been stored under this platform ID since it was opened.
    if (findByPlatformId(files.all(), id, id) !== undefined) throw createProblem('conflict', CHANGED_ELSEWHERE)
    return files.get(id) === undefined ? (this.#opened.get(id) ?? files.find(id)) : files.find(id)
  }

  async #load(id: string): Promise<LocalDraft> {
    const { files, platform, theirs, remoteReplies, clock, signal } = this.#parts
    // The platform's copy of a local draft is that local draft.
    const holder = findByPlatformId(files.all(), id, id)
    if (holder !== undefined) return files.find(holder.id)
    const found = files.get(id) === undefined ? theirs.find(id) : null
    if (found === null) return files.find(id)
    const { inboxId } = found
    const known = this.#opened.get(id)
    const knownAt = known?.platform?.seen.updatedAt ?? null
    if (known !== undefined && knownAt !== null && knownAt === found.draft.updatedAt) return known
    const draft = await platform.getDraft(inboxId, id, { priority: 'action', signal }).catch((thrown: unknown) => {
      if (isNotFound(thrown)) theirs.drop(id)
      throw withMessage(thrown, {
        unreachable: 'You are offline, and the text of this draft is not on this computer yet. Go online to read it.',
        not_found: GONE,
      })
    })
    if (draft.emailId !== null) {
      theirs.drop(id)
      throw createProblem('not_found', 'This draft has already been sent.')
    }
    const seen = { updatedAt: draft.updatedAt, content: toDraftContent(draft) }
    const { kind, target } = summaryOfPlatform(inboxId, found.draft)
    const begun = remoteReplies.begun(inboxId, kind, target)
    const taken: LocalDraft = {
      ...newDraft(
        { id, inboxId, kind, target, content: seen.content, isOurs: false, begun },
        seen.updatedAt ?? clock.now(),
      ),
      platform: { id, inboxId, revision: 0, seen },
    }
    this.#opened.set(id, taken)
    return taken
  }

  #toDraft(draft: LocalDraft): Draft {
    return {
      ...summaryOf(draft, this.#parts.transfers.progressOf(draft.id)),
      content: draft.content,
      original: draft.target === null ? null : this.#headersOf(draft.inboxId, draft.target),
      revision: draft.revision,
      theirs: draft.theirs?.content ?? null,
      remindAt: draft.remindAt ?? null,
    }
  }

  #checkInbox(inboxId: string): void {
    const isThere = this.#parts.cache.inboxes.get(inboxId) !== undefined
    if (!isThere) throw createProblem('not_found', 'This inbox is not in this account.')
  }

  /** The address headers of an e-mail in a thread, or null if it isn't cached. */
  #headersOf(inboxId: string, { threadId, emailId }: DraftTarget): OriginalHeaders | null {
    const { inboxes, emails } = this.#parts.cache
    const stored = inboxes.get(inboxId)
    const email = stored && emails.get(stored, threadId, emailId)
    if (email === undefined) return null
    const { from, to, cc, replyTo, receivedAt } = email
    return { from, to, cc, replyTo, receivedAt }
  }
}
