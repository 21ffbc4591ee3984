import { resolveAuthorRecipient } from '../../../shared/reply-recipients.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { EmailBodies, Email } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { haveSameRecipients } from '../../../shared/recipients.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { Draft, DraftContent, DraftSummary, Recipient, DraftKind } from '../../../shared/drafts.ts'
import { inMemoryRows } from '../../ui/row-source.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { readBodies } from '../bodies/read-bodies.ts'
import { quoteSubject } from '../threads/describe-threads.ts'
import type { ActionResult } from '../threads/thread-actions-manager.svelte.ts'
import { attachOriginal, createWithoutPictures, type CreateQuoted } from './attach-original.ts'
import { createReplyContent } from './reply-content.ts'
import type { OpenComposer } from './open-composer.svelte.ts'
import { copyDraftFiles } from './draft-file-transfer.ts'
import { createEmptyContent } from './draft-content.ts'
import { RECIPIENT_FIELDS, type DraftEditor } from './draft-editor.svelte.ts'
import { DraftSender } from './draft-sender.ts'
import { isAwaitingApproval, isEditableDraft, formatDraftName } from './describe-draft.ts'
import { DisplayedDraft } from './displayed-draft.svelte.ts'
import { findInboxByAddress } from './default-inbox.ts'
import { OpenComposers, type WritingParts } from './open-composers.svelte.ts'
import { bufferTypedText } from './type-ahead.ts'

export interface ReplyTarget {
  readonly inboxId: string
  readonly threadId: string
  readonly email: Email
}

/** `replyToAuthor` replies only to the author. */
export type ReplyKind = Exclude<DraftKind, 'new'> | 'replyToAuthor'

type QuotedMail = EmailBodies & { readonly attachments?: Email['attachments'] }

/** Lists of messages that have not been sent, by view. `waiting` has the replies drafted by others. */
export const UNSENT_LISTS = ['drafts', 'waiting', 'scheduled', 'outbox'] as const
export type UnsentList = (typeof UNSENT_LISTS)[number]

const isOpen = ({ state }: DraftSummary): boolean => state.kind === 'open'
const scheduledAt = ({ state }: DraftSummary): number | null => (state.kind === 'scheduled' ? state.at : null)

export class WritingManager {
  readonly lists = {
    drafts: this.#listOf(isOpen),
    waiting: this.#listOf(isAwaitingApproval),
    scheduled: this.#listOf(
      (draft) => scheduledAt(draft) !== null,
      (one, other) => (scheduledAt(one) ?? 0) - (scheduledAt(other) ?? 0),
    ),
    outbox: this.#listOf((draft) => !isOpen(draft) && scheduledAt(draft) === null),
  }
  readonly composers: OpenComposers
  readonly sending: DraftSender
  /** The message in the reading pane of these lists. */
  readonly displayed: DisplayedDraft
  readonly #parts: WritingParts
  #drafts: readonly DraftSummary[] | null = $state.raw(null)
  #problem: Problem | null = $state.raw(null)
  #latestLoad: Promise<void> = Promise.resolve()

  constructor(parts: WritingParts) {
    this.#parts = parts
    this.composers = new OpenComposers(parts)
    this.sending = new DraftSender(parts, this)
    this.displayed = new DisplayedDraft(parts, this)
    parts.backend.on('drafts.changed', () => void this.load(true))
    parts.backend.on('draft.sent', ({ draftId }) => {
      this.sending.markIrreversible(draftId)
      void this.load(true)
    })
  }

  /** Most recently changed first; null during the first load. */
  get drafts(): readonly DraftSummary[] | null {
    return this.#drafts?.map((draft) => this.sending.withState(draft)) ?? null
  }

  /** A draft as last listed. */
  listed(draftId: string): DraftSummary | undefined {
    return this.#drafts?.find(({ id }) => id === draftId)
  }

  /** Messages that are being sent, wait to be sent, or were rejected. */
  get outbox(): readonly DraftSummary[] {
    return this.drafts?.filter((draft) => !isOpen(draft)) ?? []
  }

  /** @param order the order of the rows; by default, the most recently changed is first */
  #listOf(isIn: (draft: DraftSummary) => boolean, order: (one: DraftSummary, other: DraftSummary) => number = () => 0) {
    const drafts = $derived(this.drafts?.filter(isIn).toSorted(order) ?? null)
    const list = inMemoryRows(
      () => drafts,
      () => this.#problem,
      () => this.load(),
    )
    return { list, cursor: new ListCursor<DraftSummary>() }
  }

  /**
   * Says that a thread's reply is being sent; null if none is, or if there is also a draft. If not null, the "draft"
   * that the platform reports is that message.
   */
  describeReply(threadId: string): string | null {
    const drafts = this.drafts?.filter(({ target }) => target?.threadId === threadId) ?? []
    if (drafts.length === 0 || drafts.some(isEditableDraft)) return null
    if (drafts.some(({ state }) => state.kind === 'held' && state.at === null)) return 'Your reply is not sent yet'
    const isScheduled = drafts.every(({ state }) => state.kind === 'scheduled')
    return isScheduled ? 'Your reply is scheduled' : 'Your reply is being sent'
  }

  /** Drafts of a thread that are in no composer, including those being sent. */
  draftsOf(threadId: string): readonly DraftSummary[] {
    return (
      this.drafts?.filter(({ id, target }) => target?.threadId === threadId && this.composers.find(id) === null) ?? []
    )
  }

  /** Full text of a draft; null if it can't be read now. */
  async textOf(draftId: string): Promise<string | null> {
    const opened = await this.#parts.backend.call('draft.open', { draftId })
    return opened.ok ? opened.data.content.text : null
  }

  /** Loads the known drafts. @param cacheOnly false makes the engine check the platform for more */
  load(cacheOnly = false): Promise<void> {
    const look: Promise<void> = this.#read(cacheOnly, () => look === this.#latestLoad)
    this.#latestLoad = look
    return look
  }

  async #read(cacheOnly: boolean, isNewest: () => boolean): Promise<void> {
    const before = this.#drafts
    const listed = await this.#parts.backend.call('draft.list', { cacheOnly })
    // This load is outdated: callers wait for the latest one.
    if (!isNewest()) return this.#latestLoad
    if (this.#parts.ending.aborted) return
    this.#problem = listed.ok ? null : listed.error
    if (!listed.ok) return
    this.#drafts = listed.data
    this.sending.noteObjections(listed.data)
    void this.composers.reopen()
    for (const draft of listed.data) {
      const was = before?.find(({ id }) => id === draft.id)
      if (draft.state.kind === 'refused' && was !== undefined && was.state.kind !== 'refused')
        void this.#reopenRefused(draft)
    }
  }

  /** Runs a function that opens a composer. Anything typed before the composer has its caret is inserted into it. */
  async opening<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    const before = this.composers.all
    const drop = bufferTypedText(this.#parts.ending)
    const opened = await open()
    if (this.composers.all === before) drop()
    return opened
  }

  /** Starts a new message. @param given for example from a link @returns its draft ID, or null on failure */
  async start(inboxId: string, given: Partial<DraftContent> = {}): Promise<string | null> {
    const content = { ...createEmptyContent(), ...given }
    const begun = await this.opening(() => this.#create(inboxId, 'new', null, content))
    return begun?.draftId ?? null
  }

  /** Starts a reply, or continues an existing one. */
  answer(replyKind: ReplyKind, about: ReplyTarget): Promise<void> {
    return this.opening(() => this.#answer(replyKind, about))
  }

  async #answer(replyKind: ReplyKind, { inboxId, threadId, email }: ReplyTarget): Promise<void> {
    const kind = replyKind === 'replyToAuthor' ? 'reply' : replyKind
    const own = this.#parts.mailboxes.addresses
    const alone = replyKind === 'replyToAuthor' ? resolveAuthorRecipient(email, own) : null
    if (replyKind === 'replyToAuthor' && alone === null) return
    // A reply to the author alone must never continue as a reply to others.
    const isIt = (each: Pick<DraftSummary, 'kind' | 'target'>, to: readonly Recipient[]): boolean =>
      each.target?.emailId === email.id &&
      (each.kind === 'forward') === (kind === 'forward') &&
      (alone === null || haveSameRecipients(to, alone.to))
    const composing = this.composers.all.find(({ editing }) =>
      isIt(
        editing,
        RECIPIENT_FIELDS.flatMap((field) => editing.fields[field]),
      ),
    )
    if (composing !== undefined) {
      composing.isMinimised = false
      composing.editing.focusBody()
      return
    }
    const begun = this.drafts?.find((draft) => draft.isOurs && draft.state.kind === 'open' && isIt(draft, draft.to))
    if (begun !== undefined) {
      const problem = await this.#reopenDraft(begun.id)
      // The draft may just have been sent or discarded.
      if (problem?.code !== 'not_found') return problem === null ? undefined : void this.#parts.toasts.problem(problem)
    }

    const about = { ...email, date: email.receivedAt }
    await this.#quote(
      { of: { list: 'threads', inboxId, threadId, emailId: email.id }, email, isForward: kind === 'forward' },
      (bodies, contentIdOf) => createReplyContent(kind, about, bodies, own, alone, contentIdOf),
      (content) => this.#create(inboxId, kind, { threadId, emailId: email.id }, content),
    )
  }

  /** Starts a message that quotes an e-mail, and attaches what belongs to the quote. */
  async #quote(
    { of, email, isForward }: { readonly of: BodyOwner; readonly email: QuotedMail; readonly isForward: boolean },
    compose: (bodies: EmailBodies, ...pictures: Parameters<CreateQuoted>) => Promise<DraftContent>,
    begin: (content: DraftContent) => Promise<OpenComposer | null>,
  ): Promise<void> {
    const bodies = await this.#bodiesOf(of, email)
    if (bodies === null) return
    const create: CreateQuoted = (contentIdOf) => compose(bodies, contentIdOf)
    const { content, pictures } = await createWithoutPictures(create)
    const begun = await begin(content)
    const files = email.attachments?.length ?? 0
    if (begun !== null) await attachOriginal(begun.editing, { of, bodies, isForward, files, pictures }, create)
  }

  /**
   * Answers or forwards an e-mail without a thread, as a new message that quotes it.
   * @param inboxId sender if none of the user's inboxes received the e-mail
   */
  async replyWithoutThread(
    replyKind: ReplyKind,
    inboxId: string,
    { list, emailId }: { readonly list: EmailList; readonly emailId: string },
  ): Promise<void> {
    const { backend, mailboxes, toasts } = this.#parts
    const read = await backend.call(list === 'received' ? 'receivedEmail.get' : 'sentEmail.get', { id: emailId })
    if (!read.ok) return void toasts.problem(read.error)
    const email = read.data
    const kind = replyKind === 'replyToAuthor' ? 'reply' : replyKind
    const answered = { ...email, direction: list === 'sent' ? 'outbound' : 'inbound', date: email.createdAt } as const
    // The receiving address is the user's, even without an inbox of that address.
    const receivedFor = 'receivedFor' in email ? email.receivedFor : []
    const own = findInboxByAddress(mailboxes.senders, [...email.to, ...email.cc, email.from, ...receivedFor])
    const addresses = [...mailboxes.addresses, ...receivedFor]
    await this.#quote(
      { of: { list, emailId }, email, isForward: kind === 'forward' },
      (bodies, contentIdOf) => createReplyContent(kind, answered, bodies, addresses, null, contentIdOf),
      (content) => this.#create(own?.id ?? inboxId, 'new', null, content),
    )
  }

  /** Opens a draft: the user's, or a colleague's, which the first edit takes over. */
  resume(draftId: string): Promise<void> {
    return this.opening(async () => {
      const problem = await this.#reopenDraft(draftId)
      if (problem !== null) this.#parts.toasts.problem(problem)
    })
  }

  async #reopenDraft(draftId: string): Promise<Problem | null> {
    const composing = this.composers.find(draftId)
    if (composing !== null) {
      composing.isMinimised = false
      composing.isApart = true
      composing.editing.focusBody()
      return null
    }
    const opened = await this.#parts.backend.call('draft.open', { draftId })
    if (!opened.ok) return opened.error
    this.composers.add(opened.data).isApart = true
    return null
  }

  /**
   * Changes the From inbox. In another account, the message becomes a new draft; it is saved there completely before
   * the old one is discarded, so a crash leaves two drafts rather than none. A reply stays in its account.
   */
  async sendFrom(composing: OpenComposer, inboxId: string): Promise<void> {
    const { editing } = composing
    const accountOf = (id: string): string | null => this.#parts.mailboxes.sender(id)?.accountId ?? null
    if (accountOf(inboxId) === accountOf(editing.inboxId)) {
      editing.inboxId = inboxId
      return
    }
    if (composing.moving !== null || editing.target !== null) return
    composing.moving = this.#moveTo(composing, inboxId).finally(() => (composing.moving = null))
    await composing.moving
  }

  async #moveTo(composing: OpenComposer, inboxId: string): Promise<void> {
    const { editing } = composing
    const wasId = editing.draftId
    if (!(await composing.keep())) return
    const content = { ...editing.content, files: [] }
    const made = await this.#parts.backend.call('draft.create', { inboxId, kind: 'new', target: null, content })
    if (!made.ok) return void this.#parts.toasts.problem(made.error)
    const { draftId, revision } = made.data
    const copies = await copyDraftFiles(this.#parts.backend, editing, draftId, this.#parts.ending)
    if (copies === null) return
    if (!copies.ok) {
      this.#parts.toasts.problem(copies.error)
      return void this.#discardQuietly(draftId)
    }
    // The draft was discarded or closed in the meantime.
    if (!this.composers.all.includes(composing) && !composing.isLetGo) return this.#discardQuietly(draftId)
    composing.moveTo({ draftId, inboxId, copies: copies.data }, revision)
    if (editing.remindAt !== null) await composing.remind(editing.remindAt)
    // If saving to the new account fails, keep the old draft too; the next save retries.
    if (await composing.keep()) await this.#discardQuietly(wasId)
  }

  /** Discards a draft that another one replaces. */
  async #discardQuietly(draftId: string): Promise<void> {
    const gone = await this.#parts.backend.call('draft.discard', { draftId })
    if (!gone.ok) this.#parts.toasts.problem(gone.error)
  }

  /** Minimises the composer to a tab, or discards it if blank. */
  async minimise(composing: OpenComposer): Promise<void> {
    if (composing.isBlank) return this.#drop(composing)
    composing.isMinimised = true
    await composing.keep()
  }

  /** Closes the composer and keeps the draft, or discards it if blank. */
  async close(composing: OpenComposer): Promise<void> {
    if (composing.isBlank) return this.#drop(composing)
    // A pending upload is part of the draft, so wait for it.
    composing.isMinimised = true
    await composing.editing.uploads.arrived()
    await composing.keep()
    const { problem } = composing
    if (problem !== null && problem.code !== 'conflict') return void this.#parts.toasts.problem(problem)
    // List the draft before its composer is removed, so that a new reply continues the draft.
    await this.load(true)
    // The user may have restored it in the meantime.
    const isStillAway = this.composers.all.some((each) => each === composing && each.isMinimised)
    if (isStillAway) this.composers.remove(composing)
  }

  /** Hands a saved composer over to another window. @returns true if it can continue there */
  async handOver(composing: OpenComposer): Promise<boolean> {
    await composing.editing.uploads.arrived()
    if (!(await composing.keep())) return false
    this.composers.remove(composing)
    return true
  }

  async #drop(composing: OpenComposer): Promise<void> {
    this.composers.remove(composing)
    await this.#discardQuietly(composing.draftId)
  }

  async discard(draftId: string): Promise<void> {
    const composing = this.composers.find(draftId)
    if (composing?.isBlank === true) return this.#drop(composing)
    const named = formatDraftName(composing?.editing.fields.subject ?? this.listed(draftId)?.subject ?? null)
    await this.#parts.actions.make(
      { of: 'draft', make: () => this.#discardDraft(draftId) },
      { done: `Discarded ${named}`, undone: `Restored ${named}` },
    )
  }

  async #discardDraft(draftId: string): Promise<Result<ActionResult>> {
    const composing = this.composers.find(draftId)
    const isApart = composing?.isApart ?? null
    if (composing !== null) {
      await composing.keep()
      this.composers.remove(composing)
    }
    const gone = await this.#parts.backend.call('draft.discard', { draftId })
    if (!gone.ok) return gone
    return { ok: true, data: { revert: () => this.#restore(draftId, isApart) } }
  }

  async removeFile({ draftId, editing }: OpenComposer, fileId: string): Promise<void> {
    const place = editing.fields.files.findIndex(({ id }) => id === fileId)
    const file = editing.fields.files[place]
    if (file === undefined) return
    // The platform doesn't return the content of a draft's files, so this one could not be restored.
    if (file.digest === null) return editing.removeFile(fileId)
    const change = (to: DraftEditor, isTakenOut: boolean): ActionResult => {
      if (isTakenOut) to.removeFile(fileId)
      else to.restoreFile(file, place)
      return { revert: () => this.#edit(draftId, (again) => change(again, !isTakenOut)) }
    }
    const named = `“${toVisibleText(file.filename)}”`
    await this.#parts.actions.make(
      { of: 'draft', make: () => Promise.resolve({ ok: true, data: change(editing, true) }) },
      { done: `Removed ${named}`, undone: `Attached ${named} again` },
    )
  }

  /** Edits a draft, opening it first if necessary. @returns null if it has been sent */
  async #edit(draftId: string, change: (editing: DraftEditor) => ActionResult): Promise<Result<ActionResult | null>> {
    let composing = this.composers.find(draftId)
    if (composing === null) {
      const opened = await this.#parts.backend.call('draft.open', { draftId })
      if (!opened.ok) return opened
      if (!isEditableDraft(opened.data)) return { ok: true, data: null }
      composing = this.composers.add(opened.data)
      composing.isApart = true
    }
    composing.isMinimised = false
    return { ok: true, data: change(composing.editing) }
  }

  /** Resolves a conflict between this window's version of a draft and one that was changed elsewhere. */
  async settle(composing: OpenComposer, keep: 'ours' | 'theirs' | 'both'): Promise<void> {
    await composing.keep()
    const settled = await this.#parts.backend.call('draft.settle', { draftId: composing.draftId, keep })
    if (settled.ok) composing.take(settled.data)
    else this.#parts.toasts.problem(settled.error)
  }

  /** Loads another window's version of a draft. */
  async reload(composing: OpenComposer): Promise<void> {
    const opened = await this.#parts.backend.call('draft.open', { draftId: composing.draftId })
    if (opened.ok) composing.take(opened.data)
    else this.#parts.toasts.problem(opened.error)
  }

  async #create(
    inboxId: string,
    kind: DraftKind,
    target: Draft['target'],
    content: DraftContent,
  ): Promise<OpenComposer | null> {
    await this.#parts.snippets.loaded()
    const made = await this.#parts.backend.call('draft.create', { inboxId, kind, target, content, isUntouched: true })
    const opened = made.ok ? await this.#parts.backend.call('draft.open', { draftId: made.data.draftId }) : made
    if (opened.ok) return this.composers.add(opened.data)
    this.#parts.toasts.problem(opened.error)
    return null
  }

  async #bodiesOf(of: BodyOwner, email: EmailBodies): Promise<EmailBodies | null> {
    if (email.apart === null) return email
    const read = await readBodies(this.#parts.backend, of, email.apart, this.#parts.ending)
    if (read === null) return null
    if (read.ok) return read.data
    this.#parts.toasts.problem(read.error)
    return null
  }

  /** @param isApart as in its composer; null if it was in none */
  async #restore(draftId: string, isApart: boolean | null): Promise<Result<ActionResult>> {
    const back = await this.#parts.backend.call('draft.restore', { draftId })
    if (!back.ok) return back
    const opened = isApart === null ? null : await this.#parts.backend.call('draft.open', { draftId })
    if (opened?.ok === false) this.#parts.toasts.problem(opened.error)
    else if (opened !== null && isApart !== null) this.composers.addBack(opened.data, isApart)
    await this.load(true)
    this.lists.drafts.cursor.follow(this.lists.drafts.list, draftId)
    return { ok: true, data: { revert: () => this.#discardDraft(draftId) } }
  }

  /** Reopens a message that the platform rejected after sending, with the reason at its field. */
  async #reopenRefused({ id, subject, state }: DraftSummary): Promise<void> {
    this.sending.forget(id)
    this.#parts.toasts.problem({
      code: 'refused',
      message:
        state.kind === 'refused' && state.reason.isLineBroken === true
          ? `${quoteSubject(subject)} is open again. ${state.reason.message}`
          : `${quoteSubject(subject)} was not sent. It is open again and shows the reason.`,
    })
    const isWriting = this.composers.active !== null
    await this.resume(id)
    const composing = this.composers.find(id)
    // Don't interrupt the user's writing.
    if (isWriting && composing !== null) composing.isMinimised = true
  }
}
