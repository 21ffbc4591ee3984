import { tick } from 'svelte'
import type { SendRefusal } from '../../../shared/drafts.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { formatAccountRoute } from '../../kernel/route.ts'
import { chooseFiles } from '../../ui/choose-file.ts'
import type { SenderInbox } from '../mailboxes/mailboxes-manager.svelte.ts'
import { openWindow } from '../windows/commands.ts'
import { INLINE_IMAGE_TYPES } from './draft-content.ts'
import type { DraftEditor } from './draft-editor.svelte.ts'
import { pickCannedReply } from './insert-canned-reply.ts'
import type { OpenComposer } from './open-composer.svelte.ts'
import type { SendCheck } from './send-check.ts'
import { showRemoteReply } from './open-original.ts'
import { prepareRemoval } from '../threads/commands.ts'
import { askForSendTime, askForTime } from '../threads/pickers.svelte.ts'

/** Sends a reply and archives its thread, then moves on in the list as after archiving alone. */
export const sendReplyAndArchive = (context: CommandContext, composing: OpenComposer): void => {
  const { writing, threads, conversation, actions } = context.session
  const threadId = composing.editing.target?.threadId ?? ''
  const open = conversation.conversation?.thread
  const thread = threads.thread(threadId) ?? (open?.id === threadId ? open : undefined)
  const wish = { archive: true, scheduledAt: null }
  if (thread === undefined) return void writing.sending.send(composing, wish)
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  const moveOn = prepareRemoval(context, new Set(threads.loses(thread, { folder: 'archive' }) ? [thread.id] : []))
  void writing.sending.send(composing, { ...wish, draw: actions.undoable([thread], { folder: 'archive' }).draw })
  moveOn()
}

/** Fields that may be hidden at first. */
export type HiddenField = 'from' | 'cc' | 'bcc' | 'subject'

/** Ways to send. Each may first ask the user a question. */
export type SendMode = 'send' | 'archive' | 'schedule'

/** Below the message being answered, beside its list, over the mail, or in a window of its own. */
export type ComposerPlace = 'thread' | 'list' | 'pane' | 'window'

const NAMES = { new: 'New message', reply: 'Reply', replyAll: 'Reply', forward: 'Forward' } as const

/** A composer on the screen: its visible fields and bars, and the actions of its buttons and keys. */
export class ComposerForm {
  readonly composing: OpenComposer
  readonly editing: DraftEditor
  readonly place: ComposerPlace
  /** Prefix of element IDs. */
  readonly uid: string
  readonly #context: CommandContext
  readonly #onClosed: (how: 'sent' | 'away') => void
  element = $state<HTMLFormElement>()
  hasFocus = $state(false)
  isBarShown = $state(false)
  isQuoteShown = $state(false)
  /** Fields the user opened; they stay visible. */
  #asked: readonly HiddenField[] = $state.raw([])
  /** Latest check before sending. An edit may fix the rejected field or settle the question, so it ends the check. */
  #check: (SendCheck & { readonly mode: SendMode; readonly version: number }) | null = $state.raw(null)

  /** @param onClosed called when the user closes or sends the message */
  constructor(
    context: CommandContext,
    composing: OpenComposer,
    { place, uid, onClosed }: { place: ComposerPlace; uid: string; onClosed: (how: 'sent' | 'away') => void },
  ) {
    this.#context = context
    this.composing = composing
    this.editing = composing.editing
    this.place = place
    this.uid = uid
    this.#onClosed = onClosed
    const { fields } = composing.editing
    this.#asked = (['cc', 'bcc'] as const).filter((field) => fields[field].length > 0)
  }

  get name(): string {
    return NAMES[this.editing.kind]
  }

  /** True below the message being answered, where space is scarce and the text matters most. */
  get isCompact(): boolean {
    return this.place === 'thread' && !this.composing.isLarge
  }

  /** Inboxes to choose from. A reply can't move to another account. */
  get inboxes(): readonly SenderInbox[] {
    const { mailboxes } = this.#context.session
    const { inboxId, target } = this.editing
    const accountId = target === null ? null : (mailboxes.sender(inboxId)?.accountId ?? null)
    return mailboxes.senders.filter((sender) => accountId === null || sender.accountId === accountId)
  }

  isShown(field: HiddenField): boolean {
    const { kind, fields } = this.editing
    const isAsked = this.#asked.includes(field)
    if (field === 'cc' || field === 'bcc') return isAsked || fields[field].length > 0
    if (this.faultsAt(field).length > 0) return true
    if (field === 'from') return this.inboxes.length > 1 && (kind === 'new' || isAsked)
    // A reply keeps its thread's subject unless someone changed it.
    return kind === 'new' || isAsked || !/^(?:re|fwd):/i.test(fields.subject)
  }

  /** Shows a field and focuses it. */
  async show(field: HiddenField): Promise<void> {
    if (!this.#asked.includes(field)) this.#asked = [...this.#asked, field]
    await this.#focus(field)
  }

  /** Focuses To if it is empty, else the text. */
  focus(): void {
    if (this.editing.fields.to.length === 0) void this.#focus('to')
    else this.editing.focusBody()
  }

  faultsAt(field: SendRefusal['field']): readonly SendRefusal[] {
    const { refusal } = this.editing
    const faults = [...(refusal === null ? [] : [refusal]), ...(this.#validCheck?.blocked ?? [])]
    return faults.filter((fault) => fault.field === field)
  }

  /** ID of the element with a field's faults. */
  faultId(field: SendRefusal['field']): string {
    return `${this.uid}-fault-${field}`
  }

  /** As `faultId`; undefined without faults. */
  describing(field: SendRefusal['field']): string | undefined {
    return this.faultsAt(field).length === 0 ? undefined : this.faultId(field)
  }

  /** The questions to answer before sending; null if there are none. */
  get question(): (SendCheck & { readonly mode: SendMode }) | null {
    const check = this.#validCheck
    return check?.blocked.length === 0 ? check : null
  }

  get canArchive(): boolean {
    return this.editing.target !== null
  }

  /** Sends the message, unless something has to be fixed or asked first. */
  async send(mode: SendMode): Promise<void> {
    const check = this.editing.check()
    // At once: the next key belongs to what is behind the composer.
    if (check.blocked.length + check.questions.length === 0) return this.go(mode)
    this.#check = { ...check, mode, version: this.editing.version }
    const [first] = check.blocked
    if (first !== undefined) await this.#focus(first.field)
  }

  /** Sends the message whatever the check has found. */
  go(mode: SendMode): void {
    this.#check = null
    if (mode === 'schedule') askForSendTime(this.#context, 'send', (at) => this.#send(false, at))
    else this.#send(mode === 'archive')
  }

  goBack(): void {
    this.#check = null
    this.editing.focusBody()
  }

  async attach(): Promise<void> {
    await this.editing.uploads.add(await chooseFiles('', true))
  }

  async addPictures(): Promise<void> {
    await this.editing.uploads.add(await chooseFiles(INLINE_IMAGE_TYPES.join(), true), true)
  }

  pickCannedReply(): void {
    pickCannedReply(this.#context, this.editing)
  }

  toggleBar(): void {
    this.isBarShown = !this.isBarShown
    this.editing.focusBody()
  }

  /** The picker is part of the window, not of the composer, and returns focus to the element that had it. */
  remind(): void {
    const hasTime = this.editing.remindAt !== null
    askForTime(this.#context, 'remind', (at) => void this.composing.remind(at), hasTime)
  }

  /** Toggles the large layout. */
  widen(): void {
    this.composing.isLarge = !this.composing.isLarge
  }

  minimise(): void {
    this.composing.isLarge = false
    void this.#writing.minimise(this.composing)
    this.#onClosed('away')
  }

  /** Closes the composer and keeps the draft. */
  close(): void {
    void this.#writing.close(this.composing)
    this.#onClosed('away')
  }

  discard(): void {
    void this.#writing.discard(this.composing.draftId)
    this.#onClosed('away')
  }

  async openWindow(): Promise<void> {
    const { shell } = this.#context
    // Draft IDs depend on the account that the window shows, so the address has to name that account.
    const address = formatAccountRoute({ view: 'write', draftId: this.composing.draftId }, shell.route.accountId)
    if (!(await this.#writing.handOver(this.composing))) return
    this.#onClosed('away')
    await openWindow(shell, address.slice(1), ',popup,width=760,height=720')
  }

  escape(): void {
    if (this.question !== null) this.goBack()
    else if (this.composing.isLarge) this.widen()
    else if (this.place === 'pane' && !this.composing.isBlank) this.minimise()
    else if (this.place !== 'window' || this.composing.isBlank) this.close()
  }

  showReply(): void {
    void this.composing.lookElsewhere(true)
    void showRemoteReply(this.#context, this.composing, this.place)
  }

  get #writing(): CommandContext['session']['writing'] {
    return this.#context.session.writing
  }

  get #validCheck(): (SendCheck & { readonly mode: SendMode }) | null {
    return this.#check?.version === this.editing.version ? this.#check : null
  }

  /** Sends the message as it is now. It leaves the screen, and the keys belong to what is behind it. */
  #send(archive: boolean, scheduledAt: number | null = null): void {
    if (archive) sendReplyAndArchive(this.#context, this.composing)
    else void this.#writing.sending.send(this.composing, { archive, scheduledAt })
    this.#onClosed('sent')
  }

  /** Focuses the field of this label, if it has one. */
  async #focus(label: string): Promise<void> {
    await tick()
    const fields = [...(this.element?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select') ?? [])]
    fields.find(({ labels }) => labels?.[0]?.textContent.toLowerCase() === label)?.focus()
  }
}
