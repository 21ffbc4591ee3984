import { untrack } from 'svelte'
import { answerRecipients, authorAlone, forwardSubject, replySubject } from '../../../shared/answer-recipients.ts'
import { parseAddress } from '../../../shared/address.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { EmailList } from '../../../shared/email-query.ts'
import type { Bodies, Email } from '../../../shared/model.ts'
import { OPEN_DRAFTS, type OpenDraft } from '../../../shared/preferences.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { areSame, mailboxKey } from '../../../shared/recipients.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import type {
  Draft,
  DraftContent,
  DraftFile,
  DraftSummary,
  Recipient,
  SendRefusal,
  WritingKind,
} from '../../../shared/writing.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import { readBodies } from '../bodies/read-bodies.ts'
import { quotedSubject } from '../threads/named-threads.ts'
import type { Side } from '../threads/change-history.ts'
import { NOTHING_DRAWN, type DrawnChange } from '../threads/pending-changes.svelte.ts'
import type { Made, Making, ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { Composing } from './composing.svelte.ts'
import { DraftRows } from './draft-rows.ts'
import { emptyContent, type DraftEditing } from './draft-editing.svelte.ts'
import type { KeptOpenDrafts } from './kept-open-drafts.ts'
import { cleanSnippet, fillSnippet, senderValues } from './fill-snippet.ts'
import { senderOf } from './insert-canned-reply.ts'
import { quoteEmail } from './quote-email.ts'
import { copyDraftFile } from './read-file.ts'
import type { SnippetsManager } from './snippets-manager.svelte.ts'
import { typeAhead } from './type-ahead.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly writing: WritingManager
  }
}

/** An e-mail of a thread that is answered or forwarded. */
export interface AnsweredIn {
  readonly inboxId: string
  readonly threadId: string
  readonly email: Email
}

/** The ways to answer: `replyToAuthor` is a reply that goes to nobody but the author. */
export type AnswerWay = Exclude<WritingKind, 'new'> | 'replyToAuthor'

/** How a message leaves. */
interface SendWish {
  readonly archive: boolean
  /** Milliseconds since the epoch; null for as soon as the time to take it back has passed. */
  readonly scheduledAt: number | null
  /** Shows that its thread leaves with it, or comes back. */
  readonly draw?: (side: Side) => DrawnChange
}

/** How a composer was on the screen. */
type Place = Pick<Composing, 'isApart'> & { readonly caret: number | null }

/** Milliseconds that a toast says that a message is being sent, beyond the time to take it back. */
const SENDING_SAID_MS = 20_000

const ALREADY_SENT = 'This message is already sent.'

/** How a draft is named within a sentence. */
const namedDraft = (subject: string | null): string =>
  subject === null || subject.trim() === '' ? 'draft' : `draft ${quotedSubject(subject)}`

const FIELDS: readonly string[] = ['from', 'to', 'subject', 'files', 'body', 'schedule', 'message']
const isField = (field: unknown): field is SendRefusal['field'] => typeof field === 'string' && FIELDS.includes(field)

const refusalOf = ({ message, details }: Problem): SendRefusal => ({
  field: isField(details?.field) ? details.field : 'message',
  message,
})

/** Everybody that a draft goes to. */
const peopleIn = ({ to, cc, bcc }: DraftContent): readonly Recipient[] => [...to, ...cc, ...bcc]

/** Whether it is with the person: not on its way, and not scheduled. */
export const isWritten = ({ state }: Pick<DraftSummary, 'state'>): boolean =>
  state.kind === 'open' || state.kind === 'refused'

/** Everything that is being written: the drafts that there are, and the composers that are open. */
export class WritingManager {
  /** The drafts that are not sent, as the rows of their list. */
  readonly rows = new DraftRows(this, () => this.unsent)
  readonly cursor = new ListCursor<DraftSummary>()
  /** The same of the outbox. */
  readonly leavingRows = new DraftRows(this, () => this.leaving)
  readonly leavingCursor = new ListCursor<DraftSummary>()
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #actions: ThreadActionsManager
  readonly #mailboxes: MailboxesManager
  readonly #snippets: SnippetsManager
  readonly #keptOpen: KeptOpenDrafts
  readonly #holdSeconds: () => number
  readonly #ending: AbortSignal
  #open: readonly Composing[] = $state.raw([])
  #drafts: readonly DraftSummary[] | null = $state.raw(null)
  #problem: Problem | null = $state.raw(null)
  #looks = 0
  #isReopening = false
  /** What was open is open again, or another window has it: from here on it is kept what is. */
  #keepsOpen = $state(false)
  /** The steps of messages that were sent and are not over, by their drafts. */
  // Nothing is drawn from it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #sending = new Map<string, Making>()
  /** Where the caret was in drafts that were closed. */
  // Nothing is drawn from it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #carets = new Map<string, number>()

  /** @param holdSeconds how long a message can be taken back after it was sent */
  constructor(
    backend: Backend,
    {
      toasts,
      actions,
      mailboxes,
      snippets,
      keptOpen,
    }: {
      readonly toasts: ToastManager
      readonly actions: ThreadActionsManager
      readonly mailboxes: MailboxesManager
      readonly snippets: SnippetsManager
      readonly keptOpen: KeptOpenDrafts
    },
    holdSeconds: () => number,
    ending: AbortSignal,
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    this.#mailboxes = mailboxes
    this.#snippets = snippets
    this.#keptOpen = keptOpen
    this.#holdSeconds = holdSeconds
    this.#ending = ending
    backend.on('drafts.changed', () => void this.#list(true))
    backend.on('draft.sent', ({ draftId }) => this.#isSent(draftId))
    ending.addEventListener('abort', () => {
      for (const composing of this.#open) {
        void composing.keep()
        composing.end()
      }
    })
  }

  /** The composers that are open, oldest first. */
  get open(): readonly Composing[] {
    return this.#open
  }

  /** Last changed first; null while they are read for the first time. */
  get drafts(): readonly DraftSummary[] | null {
    return this.#drafts
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** What is written on and not sent yet, and what was sent and is not over. */
  get unsent(): readonly DraftSummary[] {
    return this.#drafts?.filter(({ state }) => state.kind === 'open') ?? []
  }

  get leaving(): readonly DraftSummary[] {
    return this.#drafts?.filter(({ state }) => state.kind !== 'open') ?? []
  }

  /** Whether all that was begun in a thread is on its way: what the platform calls its draft is that message. */
  isAnswerLeaving(threadId: string): boolean {
    const drafts = this.#drafts?.filter(({ target }) => target?.threadId === threadId) ?? []
    return drafts.length > 0 && drafts.every(({ state }) => state.kind !== 'open' && state.kind !== 'refused')
  }

  /** The composer in which the person writes, or wrote last; null where none is on the screen. */
  get active(): Composing | null {
    const shown = this.#open.filter(({ isMinimised }) => !isMinimised)
    return shown.toSorted((a, b) => a.editing.focusedAt - b.editing.focusedAt).at(-1) ?? null
  }

  /** The composer in which an e-mail of a thread is answered, where it stands below it. */
  inThread(threadId: string): Composing | null {
    return (
      this.#open.findLast(
        ({ editing, isMinimised, isLarge }) => !isMinimised && !isLarge && editing.target?.threadId === threadId,
      ) ?? null
    )
  }

  /** What was begun in a thread and is in no composer: written on, or on its way. */
  draftsOf(threadId: string): readonly DraftSummary[] {
    return this.#drafts?.filter(({ id, target }) => target?.threadId === threadId && this.#find(id) === null) ?? []
  }

  /** All words of a draft; null where they cannot be read now. */
  async textOf(draftId: string): Promise<string | null> {
    const opened = await this.#backend.call('draft.open', { draftId })
    return opened.ok ? opened.data.content.text : null
  }

  /** Reads what there is, and has the platform asked what else it has. */
  load(): Promise<void> {
    return this.#list(false)
  }

  /** Keeps which composers are open, and how. Whoever draws them calls it again whenever that has changed; reactive. */
  keepOpen(): void {
    if (!this.#keepsOpen || this.#ending.aborted) return
    const open = this.#open.slice(-OPEN_DRAFTS).map(({ draftId, isApart, isMinimised }): OpenDraft => {
      return { draftId, isApart, isMinimised }
    })
    untrack(() => {
      if (JSON.stringify(open) !== JSON.stringify(this.#keptOpen.read())) this.#keptOpen.write(open)
    })
  }

  async #list(isAsKnown: boolean): Promise<void> {
    this.#looks += 1
    const look = this.#looks
    const before = this.#drafts
    const listed = await this.#backend.call('draft.list', { isAsKnown })
    if (look !== this.#looks || this.#ending.aborted) return
    this.#problem = listed.ok ? null : listed.error
    if (!listed.ok) return
    this.#drafts = listed.data
    if (!this.#isReopening) void this.#reopen()
    for (const draft of listed.data) {
      const was = before?.find(({ id }) => id === draft.id)
      if (draft.state.kind === 'refused' && was !== undefined && was.state.kind !== 'refused')
        void this.#isRefused(draft)
      const composing = this.#find(draft.id)
      if (composing !== null && draft.hasConflict && composing.theirs === null) void this.#lookAtTheirs(composing)
    }
  }

  /** Does what brings a composer up: what a person types until it has its caret is for it. */
  async opening(open: () => Promise<unknown>): Promise<void> {
    const before = this.#open
    const drop = typeAhead(this.#ending)
    await open()
    if (this.#open === before) drop()
  }

  /** Begins a message of one's own. @param to addresses that it goes to, by a link for example */
  async begin(inboxId: string, given: Partial<DraftContent> = {}): Promise<void> {
    await this.opening(() => this.#create(inboxId, 'new', null, { ...emptyContent(), ...given }))
  }

  /** Begins an answer, or goes on with the one that there is. */
  answer(way: AnswerWay, about: AnsweredIn): Promise<void> {
    return this.opening(() => this.#answer(way, about))
  }

  async #answer(way: AnswerWay, { inboxId, threadId, email }: AnsweredIn): Promise<void> {
    const kind = way === 'replyToAuthor' ? 'reply' : way
    const own = this.#mailboxes.addresses
    const alone = way === 'replyToAuthor' ? authorAlone(email, own) : null
    if (way === 'replyToAuthor' && alone === null) return
    // What is meant for the author alone never goes on in an answer to others.
    const isIt = (each: Pick<DraftSummary, 'kind' | 'target'>, to: readonly Recipient[]): boolean =>
      each.target?.emailId === email.id &&
      (each.kind === 'forward') === (kind === 'forward') &&
      (alone === null || areSame(to, alone.to))
    const composing = this.#open.find(({ editing }) => isIt(editing, peopleIn(editing.content)))
    if (composing !== undefined) {
      composing.isMinimised = false
      composing.editing.focusBody()
      return
    }
    const begun = this.#drafts?.find((draft) => draft.isOurs && draft.state.kind === 'open' && isIt(draft, draft.to))
    if (begun !== undefined) {
      const problem = await this.#reopenDraft(begun.id)
      // It may have been sent or thrown away a moment ago.
      if (problem?.code !== 'not_found') return problem === null ? undefined : void this.#toasts.problem(problem)
    }

    const of: BodyOwner = { list: 'threads', inboxId, threadId, emailId: email.id }
    const bodies = await this.#bodiesOf(of, email)
    if (bodies === null) return
    const people =
      alone ?? (kind === 'forward' ? { to: [], cc: [] } : answerRecipients(email, own, kind === 'replyAll'))
    const content: DraftContent = {
      ...emptyContent(),
      ...people,
      subject: kind === 'forward' ? forwardSubject(email.subject) : replySubject(email.subject),
      quote: quoteEmail(kind, {
        ...{ html: bodies.html, text: bodies.text, subject: email.subject, date: email.receivedAt },
        ...{ from: email.from, to: email.to, cc: email.cc },
      }),
    }
    const begunNow = await this.#create(inboxId, kind, { threadId, emailId: email.id }, content)
    if (begunNow === null || kind !== 'forward' || email.attachments.length === 0) return
    await begunNow.editing.addFrom(of)
  }

  /**
   * Begins an answer to an e-mail that belongs to no thread, or passes it on: a new message, with the e-mail below it.
   * @param inboxId from which it is where none of the person's inboxes got the e-mail
   */
  async answerAlone(
    way: AnswerWay,
    inboxId: string,
    { list, emailId }: { readonly list: EmailList; readonly emailId: string },
  ): Promise<void> {
    const read = await this.#backend.call(list === 'received' ? 'receivedEmail.get' : 'sentEmail.get', { id: emailId })
    if (!read.ok) return void this.#toasts.problem(read.error)
    const email = read.data
    const of: BodyOwner = { list, emailId }
    const bodies = await this.#bodiesOf(of, email)
    if (bodies === null) return
    const kind = way === 'replyToAuthor' ? 'reply' : way
    const answered = { ...email, direction: list === 'sent' ? ('outbound' as const) : ('inbound' as const) }
    const people =
      kind === 'forward'
        ? { to: [], cc: [] }
        : answerRecipients(answered, this.#mailboxes.addresses, kind === 'replyAll')
    const named = [...email.to, ...email.cc, email.from].map((header) => mailboxKey(parseAddress(header).address))
    const own = this.#mailboxes.senders.find(({ address }) => named.includes(mailboxKey(address)))
    const content: DraftContent = {
      ...emptyContent(),
      ...people,
      subject: kind === 'forward' ? forwardSubject(email.subject) : replySubject(email.subject),
      quote: quoteEmail(kind, {
        ...{ html: bodies.html, text: bodies.text, subject: email.subject, date: email.createdAt },
        ...{ from: email.from, to: email.to, cc: email.cc },
      }),
    }
    const begun = await this.#create(own?.id ?? inboxId, 'new', null, content)
    const files = 'attachments' in email ? email.attachments : []
    if (begun !== null && kind === 'forward' && files.length > 0) await begun.editing.addFrom(of)
  }

  /** Opens a draft in a composer: one's own, or a colleague's, which is taken over with the first change. */
  resume(draftId: string): Promise<void> {
    return this.opening(async () => {
      const problem = await this.#reopenDraft(draftId)
      if (problem !== null) this.#toasts.problem(problem)
    })
  }

  async #reopenDraft(draftId: string): Promise<Problem | null> {
    const composing = this.#find(draftId)
    if (composing !== null) {
      composing.isMinimised = false
      composing.isApart = true
      composing.editing.focusBody()
      return null
    }
    const opened = await this.#backend.call('draft.open', { draftId })
    if (!opened.ok) return opened.error
    this.#add(opened.data).isApart = true
    return null
  }

  /**
   * Makes another inbox From. That of another account gets the message as a draft of its own: it is whole there, on the disk, before
   * the one here is thrown away, so that an end in between leaves two and never none. An answer stays in its account.
   */
  async sendFrom(composing: Composing, inboxId: string): Promise<void> {
    const { editing } = composing
    const accountOf = (id: string): string | null => this.#mailboxes.sender(id)?.accountId ?? null
    if (accountOf(inboxId) === accountOf(editing.inboxId)) {
      editing.inboxId = inboxId
      return
    }
    if (composing.isMoving || composing.isSending || editing.target !== null) return
    composing.isMoving = true
    try {
      await this.#moveTo(composing, inboxId)
    } finally {
      composing.isMoving = false
    }
  }

  async #moveTo(composing: Composing, inboxId: string): Promise<void> {
    const { editing } = composing
    const wasId = editing.draftId
    if (!(await composing.keep())) return
    const content = { ...editing.content, files: [] }
    const made = await this.#backend.call('draft.create', { inboxId, kind: 'new', target: null, content })
    if (!made.ok) return void this.#toasts.problem(made.error)
    const { draftId, revision } = made.data
    // Nothing is drawn from it.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    const copies = new Map<string, DraftFile>()
    // Files may come in while others are copied.
    while (editing.isUploading || editing.fields.files.some(({ id }) => !copies.has(id))) {
      await editing.arrived()
      const file = editing.fields.files.find(({ id }) => !copies.has(id))
      if (file === undefined) continue
      const copied = await copyDraftFile(this.#backend, wasId, file, draftId)
      if (this.#ending.aborted) return
      if (!copied.ok) {
        this.#toasts.problem(copied.error)
        return void this.#discardQuietly(draftId)
      }
      copies.set(file.id, copied.data)
    }
    // It was thrown away or put away meanwhile.
    if (!this.#open.includes(composing)) return this.#discardQuietly(draftId)
    composing.moveTo({ draftId, inboxId, copies }, revision)
    // Where it is not kept there it stays here as well, and is kept there by the next try.
    if (await composing.keep()) await this.#discardQuietly(wasId)
  }

  /** Throws a draft away that another one has taken the place of. */
  async #discardQuietly(draftId: string): Promise<void> {
    const gone = await this.#backend.call('draft.discard', { draftId })
    if (!gone.ok) this.#toasts.problem(gone.error)
  }

  /** Puts the composer away, to a tab. Where nothing is written, nothing is kept. */
  async minimise(composing: Composing): Promise<void> {
    if (composing.isBlank) return this.#drop(composing)
    composing.isMinimised = true
    await composing.keep()
  }

  /** Closes the composer. What is written is a draft; where nothing is, nothing is kept. */
  async close(composing: Composing): Promise<void> {
    if (composing.isBlank) return this.#drop(composing)
    // A file on its way is part of what was written.
    composing.isMinimised = true
    await composing.editing.arrived()
    if (!(await composing.keep()) && composing.problem?.code !== 'conflict') {
      this.#toasts.problem(
        composing.problem ?? {
          code: 'internal',
          message: 'What you wrote could not be saved. Copy it, then try again.',
        },
      )
      return
    }
    this.#remove(composing)
  }

  /** Gives a composer to another window, with all that is written. @returns whether it can go on there */
  async handOver(composing: Composing): Promise<boolean> {
    await composing.editing.arrived()
    if (!(await composing.keep())) return false
    this.#remove(composing)
    return true
  }

  async #drop(composing: Composing): Promise<void> {
    this.#remove(composing)
    await this.#discardQuietly(composing.draftId)
  }

  /** Throws a draft away: a step that a person goes back through. */
  async discard(draftId: string): Promise<void> {
    const composing = this.#find(draftId)
    if (composing?.isBlank === true) return this.#drop(composing)
    const listed = this.#drafts?.find(({ id }) => id === draftId)
    const named = namedDraft(composing?.editing.fields.subject ?? listed?.subject ?? null)
    const making: Making = { of: 'draft', draw: () => NOTHING_DRAWN, make: () => this.#throwAway(draftId) }
    await this.#actions.make(making, { done: `Discarded ${named}`, undone: `Restored ${named}` })
  }

  async #throwAway(draftId: string): Promise<Result<Made>> {
    const composing = this.#find(draftId)
    const place = composing === null ? null : this.#placeOf(composing)
    if (composing !== null) {
      await composing.keep()
      this.#remove(composing)
    }
    const gone = await this.#backend.call('draft.discard', { draftId })
    if (!gone.ok) return gone
    return { ok: true, data: { changeIds: [], threads: null, takeBack: () => this.#restore(draftId, place) } }
  }

  /** Takes a file out of a message: a step that a person goes back through. */
  async removeFile({ draftId, editing }: Composing, fileId: string): Promise<void> {
    const place = editing.fields.files.findIndex(({ id }) => id === fileId)
    const file = editing.fields.files[place]
    if (file === undefined) return
    // The platform gives out no bytes of a draft's files: without them it could not be put back.
    if (file.digest === null) return editing.removeFile(fileId)
    const change = (to: DraftEditing, isTakenOut: boolean): Made => {
      if (isTakenOut) to.removeFile(fileId)
      else to.putFileBack(file, place)
      const takeBack = () => this.#edit(draftId, (again) => change(again, !isTakenOut))
      return { changeIds: [], threads: null, takeBack }
    }
    const make = (): Promise<Result<Made>> => Promise.resolve({ ok: true, data: change(editing, true) })
    const named = `“${visibleText(file.filename)}”`
    await this.#actions.make(
      { of: 'draft', draw: () => NOTHING_DRAWN, make },
      { done: `Removed ${named}`, undone: `Attached ${named} again` },
    )
  }

  /** Changes a draft where it is on the screen, or opens it for that. @returns null where it was sent since */
  async #edit(draftId: string, change: (editing: DraftEditing) => Made): Promise<Result<Made | null>> {
    let composing = this.#find(draftId)
    if (composing === null) {
      const opened = await this.#backend.call('draft.open', { draftId })
      if (!opened.ok) return opened
      if (!isWritten(opened.data)) return { ok: true, data: null }
      composing = this.#add(opened.data)
      composing.isApart = true
    }
    composing.isMinimised = false
    return { ok: true, data: change(composing.editing) }
  }

  /** Sends what is written: a step that a person goes back through. @returns whether it is on its way */
  async send(composing: Composing, { archive, scheduledAt, draw = () => NOTHING_DRAWN }: SendWish): Promise<boolean> {
    if (composing.isSending || composing.isMoving) return false
    composing.isSending = true
    try {
      composing.editing.keepSignature()
      if (!(await composing.keep())) return false
      const { draftId, revision } = composing
      const holdSeconds = scheduledAt === null ? this.#holdSeconds() : 0
      const named = quotedSubject(composing.editing.fields.subject)
      const place = this.#placeOf(composing)
      const making: Making = {
        of: 'draft',
        draw,
        make: async () => {
          const sent = await this.#backend.call('draft.send', { draftId, revision, holdSeconds, archive, scheduledAt })
          if (!sent.ok) return sent
          this.#remove(composing)
          return { ok: true, data: { changeIds: [], threads: null, takeBack: () => this.#cancel(draftId, place) } }
        },
        isOneWay: true,
        tooLate: `Already sent: ${named}`,
        stay: holdSeconds * 1000 + SENDING_SAID_MS,
        onRefused: (problem) => composing.refuse(refusalOf(problem)),
      }
      this.#sending.set(draftId, making)
      const isSent = await this.#actions.make(making, scheduledAt === null ? `Sending ${named}…` : `Scheduled ${named}`)
      if (!isSent) this.#sending.delete(draftId)
      return isSent
    } finally {
      composing.isSending = false
    }
  }

  /** Takes back what was sent and has not left yet, or is scheduled, and opens it. */
  async takeBack(draftId: string, isApart = true): Promise<void> {
    const place: Place = { isApart, caret: null }
    const listed = this.#drafts?.find(({ id }) => id === draftId)
    if (listed?.state.kind === 'scheduled') return this.#cancelScheduled(listed, listed.state.at, place)
    const making = this.#sending.get(draftId)
    if (making !== undefined && this.#actions.takeBack(making)) return
    const back = await this.#cancel(draftId, place)
    if (!back.ok) this.#toasts.problem(back.error)
    else if (back.data === null) this.#toasts.say(ALREADY_SENT)
  }

  /** Opens what is scheduled: a step that a person goes back through, as it may have been scheduled long ago. */
  async #cancelScheduled({ id, subject }: DraftSummary, at: number, place: Place): Promise<void> {
    this.#forgetSending(id)
    const named = quotedSubject(subject)
    const make = (): Promise<Result<Made>> => this.#cancelSchedule(id, at, place)
    await this.#actions.make(
      { of: 'draft', draw: () => NOTHING_DRAWN, make },
      { done: `Cancelled ${named}`, undone: `Scheduled ${named} again` },
    )
  }

  async #cancelSchedule(draftId: string, at: number, place: Place): Promise<Result<Made>> {
    const back = await this.#cancel(draftId, place)
    if (!back.ok) return back
    if (back.data === null) return { ok: false, error: { code: 'conflict', message: ALREADY_SENT } }
    const revision = this.#find(draftId)?.revision ?? 0
    return { ok: true, data: { ...back.data, takeBack: () => this.#scheduleAgain(draftId, revision, at, place) } }
  }

  /** @returns null where the draft has changed since, or another window has sent it */
  async #scheduleAgain(draftId: string, revision: number, at: number, place: Place): Promise<Result<Made | null>> {
    const composing = this.#find(draftId)
    const isAsItWas = composing === null || (!composing.editing.isDirty && composing.revision === revision)
    if (!isAsItWas) return { ok: true, data: null }
    const how = { holdSeconds: 0, archive: false, scheduledAt: at }
    const sent = await this.#backend.call('draft.send', { draftId, revision, ...how })
    if (!sent.ok) return sent.error.code === 'conflict' ? { ok: true, data: null } : sent
    if (composing !== null) this.#remove(composing)
    const takeBack = () => this.#cancelSchedule(draftId, at, place)
    return { ok: true, data: { changeIds: [], threads: null, takeBack } }
  }

  /** @returns null where the platform has it */
  async #cancel(draftId: string, place: Place): Promise<Result<Made | null>> {
    const back = await this.#backend.call('draft.cancelSending', { draftId })
    if (!back.ok) {
      const { code } = back.error
      const isUnderWay = this.#drafts?.find(({ id }) => id === draftId)?.state.kind === 'sending'
      const isSent = code === 'not_found' || (code === 'conflict' && !isUnderWay)
      return isSent ? { ok: true, data: null } : back
    }
    this.#sending.delete(draftId)
    this.#put(this.#add(back.data), place)
    return { ok: true, data: { changeIds: [], threads: null } }
  }

  /** A message is no step any more: it is with the person again. */
  #forgetSending(draftId: string): void {
    const making = this.#sending.get(draftId)
    if (making !== undefined) this.#actions.forget(making)
    this.#sending.delete(draftId)
  }

  #placeOf({ isApart, editing }: Composing): Place {
    return { isApart, caret: editing.caret }
  }

  #put(composing: Composing, { isApart, caret }: Place): void {
    composing.isApart = isApart
    if (caret !== null) composing.editing.placeCaret(caret)
  }

  /** Another time for what is scheduled, which stays with the platform: a step that a person goes back through. */
  async reschedule({ id, subject, state }: DraftSummary, at: number): Promise<void> {
    if (state.kind !== 'scheduled') return
    const moveTo = async (time: number, before: number): Promise<Result<Made>> => {
      const changed = await this.#backend.call('draft.reschedule', { draftId: id, scheduledAt: time })
      if (!changed.ok) return changed
      return { ok: true, data: { changeIds: [], threads: null, takeBack: () => moveTo(before, time) } }
    }
    const named = quotedSubject(subject)
    await this.#actions.make(
      { of: 'draft', draw: () => NOTHING_DRAWN, make: () => moveTo(at, state.at) },
      { done: `Rescheduled ${named}`, undone: `Moved ${named} back to its earlier time` },
    )
  }

  /** Decides between what was written here and elsewhere. */
  async settle(composing: Composing, keep: 'ours' | 'theirs' | 'both'): Promise<void> {
    await composing.keep()
    const settled = await this.#backend.call('draft.settle', { draftId: composing.draftId, keep })
    if (settled.ok) composing.take(settled.data)
    else this.#toasts.problem(settled.error)
  }

  /** Shows what another window has made of a draft. */
  async reload(composing: Composing): Promise<void> {
    const opened = await this.#backend.call('draft.open', { draftId: composing.draftId })
    if (opened.ok) composing.take(opened.data)
    else this.#toasts.problem(opened.error)
  }

  /** What was open when the window was closed is open again, as it was. */
  async #reopen(): Promise<void> {
    this.#isReopening = true
    if (await this.#keptOpen.claim(this.#ending)) {
      for (const kept of this.#keptOpen.read()) await this.#openAgain(kept)
    }
    this.#keepsOpen = true
  }

  async #openAgain({ draftId, isApart, isMinimised }: OpenDraft): Promise<void> {
    const opened = await this.#backend.call('draft.open', { draftId })
    // It may have been sent or thrown away elsewhere meanwhile; or the person was faster.
    if (this.#ending.aborted || !opened.ok || !isWritten(opened.data) || this.#find(draftId) !== null) return
    const composing = this.#add(opened.data)
    composing.isApart = isApart
    composing.isMinimised = isMinimised
    composing.isReopened = !isMinimised
  }

  #find(draftId: string): Composing | null {
    return this.#open.find((each) => each.draftId === draftId) ?? null
  }

  #add(draft: Draft): Composing {
    const composing = new Composing(
      this.#backend,
      draft,
      this.#mailboxes.addresses,
      // The editor gives words back as they are sent: so they are compared.
      (inboxId) =>
        cleanSnippet(
          fillSnippet(this.#snippets.signatureOf(inboxId), senderValues(senderOf(this.#mailboxes, inboxId))),
        ),
    )
    const caret = this.#carets.get(draft.id)
    if (caret !== undefined) composing.editing.rememberCaret(caret)
    // Nobody has written in it yet.
    if (draft.isOurs && draft.revision === 0) composing.editing.sign()
    this.#open = [...this.#open.filter(({ draftId }) => draftId !== draft.id), composing]
    return composing
  }

  #remove(composing: Composing): void {
    const { draftId, editing } = composing
    if (editing.caret !== null) this.#carets.set(draftId, editing.caret)
    this.#open = this.#open.filter((each) => each !== composing)
    composing.end()
  }

  async #create(
    inboxId: string,
    kind: WritingKind,
    target: Draft['target'],
    content: DraftContent,
  ): Promise<Composing | null> {
    await this.#snippets.loaded()
    const made = await this.#backend.call('draft.create', { inboxId, kind, target, content, isUntouched: true })
    const opened = made.ok ? await this.#backend.call('draft.open', { draftId: made.data.draftId }) : made
    if (opened.ok) return this.#add(opened.data)
    this.#toasts.problem(opened.error)
    return null
  }

  async #bodiesOf(of: BodyOwner, email: Bodies): Promise<Bodies | null> {
    if (email.apart === null) return email
    const read = await readBodies(this.#backend, of, email.apart, this.#ending)
    if (read === null) return null
    if (read.ok) return read.data
    this.#toasts.problem(read.error)
    return null
  }

  /** @param place where it was on the screen; null where it was in no composer */
  async #restore(draftId: string, place: Place | null): Promise<Result<Made>> {
    const back = await this.#backend.call('draft.restore', { draftId })
    if (!back.ok) return back
    const opened = place === null ? null : await this.#backend.call('draft.open', { draftId })
    if (opened?.ok === false) this.#toasts.problem(opened.error)
    else if (opened !== null && place !== null) this.#put(this.#add(opened.data), place)
    await this.#list(true)
    this.cursor.follow(this.rows, draftId)
    return { ok: true, data: { changeIds: [], threads: null, takeBack: () => this.#throwAway(draftId) } }
  }

  async #lookAtTheirs(composing: Composing): Promise<void> {
    const opened = await this.#backend.call('draft.open', { draftId: composing.draftId })
    if (opened.ok) composing.noteTheirs(opened.data)
  }

  /** The platform does not take a message that had left: it is back in a composer, with the reason at its field. */
  async #isRefused({ id, subject }: DraftSummary): Promise<void> {
    this.#forgetSending(id)
    this.#toasts.problem({
      code: 'refused',
      message: `${quotedSubject(subject)} was not sent. It is open again, with the reason.`,
    })
    const isWriting = this.active !== null
    await this.resume(id)
    const composing = this.#find(id)
    // Nobody is disturbed in what they are writing.
    if (isWriting && composing !== null) composing.isMinimised = true
  }

  #isSent(draftId: string): void {
    const making = this.#sending.get(draftId)
    if (making !== undefined) this.#actions.conclude(making, 'Message sent')
    this.#sending.delete(draftId)
    void this.#list(true)
  }
}
