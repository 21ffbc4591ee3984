import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { parseRules, RULE_LIMITS, type ListedRule, type Rule, type RuleLogEntry } from '../../../shared/rules.ts'
import { canMoveTo } from '../../../shared/thread-moves.ts'
import type { Backend } from '../../kernel/backend.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'
import type { ToastManager, ToastOffer } from '../../kernel/toast-manager.svelte.ts'
import { chooseFile } from '../../ui/choose-file.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { createSenderRule, findNewestSender } from './new-rule.ts'

/** A rule in the dialog. The ID is null for a new one. */
export type EditedRule = Omit<Rule, 'id'> & { readonly id: string | null }

export interface DisplayedRuleLog {
  readonly rule: Pick<Rule, 'id' | 'name'> | null
}

const PAGE_SIZE = 50
const NO_INBOUND = 'No one has written to you in this thread, so there is no sender for a rule.'

export class RulesManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #actions: Pick<ThreadActionsManager, 'noteDone'>
  all = $state.raw<readonly ListedRule[]>([])
  asked = $state.raw<EditedRule | null>(null)
  #stash: EditedRule | null = null
  /** Reason saving failed. */
  problem = $state.raw<Problem | null>(null)
  isBusy = $state(false)
  /** Local threads that the search in the dialog matches, or null until known. */
  matches = $state.raw<number | null>(null)
  log = $state.raw<DisplayedRuleLog | null>(null)
  /** Newest first. Null while loading. */
  entries = $state.raw<readonly RuleLogEntry[] | null>(null)
  hasMore = $state(false)
  #logLimit = PAGE_SIZE
  /** Numbers of the latest requests of each kind. Responses to earlier requests are ignored. */
  #loadCount = 0
  #logLoadCount = 0
  #previews = 0

  constructor(backend: Backend, toasts: Readonly<ToastManager>, actions: Pick<ThreadActionsManager, 'noteDone'>) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    backend.on('rules.changed', () => {
      void this.load()
      if (this.log !== null) void this.#loadLog()
    })
  }

  async load(): Promise<void> {
    const look = (this.#loadCount += 1)
    const result = await this.#backend.call('rule.list', {})
    if (result.ok && look === this.#loadCount) this.all = result.data
  }

  /** Opens the dialog. Instead of an empty new rule, continues the rule that was set aside, if there is one. */
  ask(rule: EditedRule): void {
    this.asked = rule.id === null && rule.text === '' ? (this.#stash ?? rule) : rule
    this.#stash = null
    this.problem = null
    this.matches = null
  }

  close(): void {
    this.asked = null
  }

  /** Closes the dialog, but keeps a new rule to continue later. */
  stash(typed: EditedRule): void {
    this.#stash = typed.id === null ? typed : null
    this.asked = null
  }

  async save(typed: EditedRule): Promise<void> {
    const asked = this.asked
    if (asked === null || this.isBusy) return
    this.isBusy = true
    const result = await this.#backend.call('rule.save', typed)
    this.isBusy = false
    if (result.ok) await this.load()
    if (this.asked !== asked) return
    if (result.ok) this.asked = null
    else this.problem = result.error
  }

  /** Counts local matches of a search. @param text null if it has a fault */
  async preview(inboxId: string, text: string | null): Promise<void> {
    const preview = (this.#previews += 1)
    this.matches = null
    if (text === null) return
    const result = await this.#backend.call('rule.preview', { inboxId, text })
    if (preview === this.#previews) this.matches = result.ok ? result.data.threads : null
  }

  async turn(rule: ListedRule, isOn: boolean): Promise<void> {
    const { problem: _problem, threads: _threads, ...saved } = rule
    await this.#do(this.#backend.call('rule.save', { ...saved, isOn }))
  }

  async move(rule: Pick<Rule, 'id'>, by: -1 | 1): Promise<void> {
    const at = this.all.findIndex(({ id }) => id === rule.id)
    const before = this.all[by === -1 ? at - 1 : at + 2]?.id ?? null
    if (at === -1 || at + by < 0 || at + by >= this.all.length) return
    await this.#do(this.#backend.call('rule.move', { id: rule.id, before }))
  }

  async remove(rule: ListedRule): Promise<void> {
    const at = this.all.findIndex(({ id }) => id === rule.id)
    const before = this.all[at + 1]?.id ?? null
    if (!(await this.#do(this.#backend.call('rule.remove', { id: rule.id })))) return
    const { problem: _problem, threads: _threads, ...saved } = rule
    this.#actions.noteDone(`Rule “${rule.name}” deleted`, async () => {
      const back = await this.#backend.call('rule.save', { ...saved, before })
      await this.load()
      return back
    })
  }

  async run(rule: Pick<Rule, 'id' | 'name'>): Promise<void> {
    const running = this.#toasts.show(`Running “${rule.name}” on existing mail…`, null, 600_000)
    const result = await this.#backend.call('rule.run', { id: rule.id })
    this.#toasts.dismiss(running)
    if (!result.ok) return void this.#toasts.problem(result.error)
    const { changeId, threads } = result.data
    if (changeId === null) {
      this.#toasts.show(`“${rule.name}” found nothing to change. Each rule acts only once per thread.`)
      return
    }
    this.#actions.noteDone(`“${rule.name}” changed ${formatCount(threads, 'thread')}`, () =>
      this.#backend.call('change.undo', { changeId }),
    )
  }

  /** Sends a thread to spam, and all future mail from its last sender. */
  async block(thread: Thread): Promise<void> {
    const sender = await this.#senderOf(thread)
    if (sender === null) return
    const { text } = createSenderRule(sender, thread.inboxId)
    const known = this.all.find((rule) => rule.inboxId === thread.inboxId && rule.text === text && rule.move === 'spam')
    if (known?.isOn === true) return this.#noteBlocked(thread, sender.address, null)
    const saved = await this.#backend.call('rule.save', {
      ...createSenderRule(sender, thread.inboxId),
      id: known?.id ?? null,
      name: `Block ${sender.address}`.slice(0, RULE_LIMITS.name),
      move: 'spam',
      notify: false,
    })
    if (!saved.ok) return void this.#toasts.problem(saved.error)
    await this.load()
    await this.#noteBlocked(thread, sender.address, saved.data.id)
  }

  /** Offers to block the sender when a single thread is moved to spam. */
  offerAfter([thread, ...others]: readonly Thread[], { folder }: ThreadChange): ToastOffer | null {
    if (folder !== 'spam' || thread === undefined || others.length > 0) return null
    return { name: 'Block sender', run: () => void this.block({ ...thread, folder }) }
  }

  /** Opens the dialog with a rule for a thread's last sender. */
  async createFrom(thread: Thread): Promise<void> {
    const sender = await this.#senderOf(thread)
    if (sender !== null) this.ask(createSenderRule(sender, thread.inboxId))
  }

  openLog(rule: Pick<Rule, 'id' | 'name'> | null): void {
    this.log = { rule }
    this.entries = null
    this.#logLimit = PAGE_SIZE
    void this.#loadLog()
  }

  closeLog(): void {
    this.log = null
  }

  showMore(): void {
    this.#logLimit = Math.min(200, this.#logLimit + PAGE_SIZE)
    void this.#loadLog()
  }

  async undo({ changeId }: RuleLogEntry): Promise<void> {
    if (changeId === null) return
    const result = await this.#backend.call('change.undo', { changeId })
    if (!result.ok) return void this.#toasts.problem(result.error)
    this.#toasts.show(result.data.undone ? 'Undone.' : 'Can’t undo: the thread has changed since then.')
  }

  async export(): Promise<void> {
    const result = await this.#backend.call('rule.export', {})
    reportSavedFile(this.#toasts, result, 'Rules saved to')
  }

  /** Imports an exported file of the user's choice. */
  async import(): Promise<void> {
    const file = await chooseFile('.json,application/json')
    if (file === null) return
    const text = file.size > RULE_LIMITS.file ? '' : await file.text().catch(() => '')
    const read = parseRules(text)
    if (typeof read === 'string') return void this.#toasts.problem({ code: 'invalid_input', message: read })
    const result = await this.#backend.call('rule.import', read)
    if (!result.ok) return void this.#toasts.problem(result.error)
    await this.load()
    const { added, same, leftOut } = result.data
    const words = [
      added === 0
        ? 'The file contains no new rules.'
        : `${formatCount(added, 'rule')} imported. Imported rules are off: check them before you turn them on.`,
      ...(same > 0 ? [`${formatCount(same, 'was', 'were')} already in your rules.`] : []),
    ]
    if (leftOut.length === 0) return void this.#toasts.show(words.join(' '))
    const reasons = leftOut.slice(0, 5).map(({ name, reason }) => `“${name}”: ${reason}`)
    const more = leftOut.length > reasons.length ? [`And ${leftOut.length - reasons.length} more.`] : []
    const message = [...words, `${formatCount(leftOut.length, 'rule')} skipped.`, ...reasons, ...more].join(' ')
    this.#toasts.problem({ code: 'invalid_input', message })
  }

  async #senderOf({ inboxId, id }: Thread): Promise<ReturnType<typeof findNewestSender>> {
    const opened = await this.#backend.call('thread.open', { inboxId, threadId: id })
    if (!opened.ok) {
      this.#toasts.problem(opened.error)
      return null
    }
    const sender = findNewestSender(opened.data.emails)
    if (sender === null) this.#toasts.show(NO_INBOUND)
    return sender
  }

  async #noteBlocked(thread: Thread, address: string, ruleId: string | null): Promise<void> {
    const { inboxId, id } = thread
    const moved = canMoveTo(thread, 'spam')
      ? await this.#backend.call('thread.change', { inboxId, threadIds: [id], change: { folder: 'spam' } })
      : null
    if (moved?.ok === false) this.#toasts.problem(moved.error)
    this.#actions.noteDone(`Blocked ${address}. New mail from this address will go to Spam`, async () => {
      const back =
        moved?.ok === true ? await this.#backend.call('change.undo', { changeId: moved.data.changeId }) : null
      if (back?.ok === false || ruleId === null) return back ?? { ok: true, data: null }
      const removed = await this.#backend.call('rule.remove', { id: ruleId })
      await this.load()
      return removed
    })
  }

  /** @returns false on failure, after showing the problem */
  async #do(answer: Promise<Result<unknown>>): Promise<boolean> {
    const result = await answer
    if (result.ok) await this.load()
    else this.#toasts.problem(result.error)
    return result.ok
  }

  async #loadLog(): Promise<void> {
    const log = this.log
    if (log === null) return
    const look = (this.#logLoadCount += 1)
    const limit = this.#logLimit
    const result = await this.#backend.call('rule.log', { id: log.rule?.id ?? null, before: null, limit })
    if (look !== this.#logLoadCount || this.log !== log) return
    if (!result.ok) return void this.#toasts.problem(result.error)
    this.entries = result.data
    this.hasMore = result.data.length >= limit && limit < 200
  }
}
