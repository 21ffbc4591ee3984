/* eslint-disable svelte/prefer-svelte-reactivity -- its plain sets are never rendered */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import { planThreads, type PROPOSAL_DECISIONS, type Proposal, type ThreadProposal } from '../../../shared/assistants.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Email, Thread, ThreadChange } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { readBodies } from '../bodies/read-bodies.ts'
import { describeLabelChange } from '../labels/label-choices.ts'
import { prepareRemoval, toCountedSentence } from '../threads/commands.ts'
import { describeThreads } from '../threads/describe-threads.ts'
import type { CountedSentence, UndoableAction } from '../threads/thread-actions-manager.svelte.ts'
import { replyKindOf, toComposerContent, type ProposedDraft } from './draft-proposal.ts'
import { describeMissingItems } from './describe-proposal.ts'

/** Threads shown of each proposal. The rest are only counted. */
export const MAX_SHOWN_THREADS = 5

export interface ProposalSubject {
  /** The proposal's first threads, as far as they are stored locally. */
  readonly threads: readonly Thread[]
  /** The e-mail it replies to. Null if none, or if that e-mail is gone. */
  readonly answered: Email | null
  readonly problem: Problem | null
}

type Decision = (typeof PROPOSAL_DECISIONS)[number]

/** The part of a proposal still to be done. */
interface Plan {
  readonly threads: readonly Thread[]
  readonly change: ThreadChange
  readonly said: CountedSentence
  readonly missing: string | undefined
}

const NOTHING_LEFT = 'Nothing left to do. The proposal was dismissed.'

/** Carries out accepted proposals with the window's own actions, or dismisses them. */
export class ProposalReview {
  readonly #context: CommandContext
  readonly #abortSignal: AbortSignal
  readonly #subjects = new SvelteMap<string, ProposalSubject>()
  readonly #requested = new Set<string>()
  readonly #busy = new SvelteSet<string>()

  /** @param ending aborts when the review ends; accepted proposals still complete */
  constructor(context: CommandContext, ending: AbortSignal) {
    this.#context = context
    this.#abortSignal = ending
  }

  subjectOf({ id }: Proposal): ProposalSubject | undefined {
    return this.#subjects.get(id)
  }

  isBusy({ id }: Proposal): boolean {
    return this.#busy.has(id)
  }

  /** Loads a proposal's subject, once. */
  async look({ id, inboxId, change }: Proposal): Promise<void> {
    if (this.#requested.has(id)) return
    this.#requested.add(id)
    const { backend } = this.#context.shell
    if (change.kind === 'draft') {
      if (change.target !== null)
        this.#subjects.set(id, { threads: [], ...(await this.#openAnswered(inboxId, change.target)) })
      return
    }
    void this.#context.session.mailboxes.loadLabels(inboxId)
    const threadIds = planThreads(change).threadIds.slice(0, MAX_SHOWN_THREADS)
    const read = await backend.call('assistant.threads', { inboxId, threadIds })
    this.#subjects.set(id, {
      threads: read.ok ? read.data : [],
      answered: null,
      problem: read.ok ? null : read.error,
    })
  }

  /**
   * Changes a proposal's threads as an undoable step, or creates its draft but sends nothing. Repeated calls do nothing.
   * @param onMade called before the draft's composer opens
   */
  accept(proposal: Proposal, onMade: () => void): Promise<void> {
    const { inboxId, change } = proposal
    return this.#once(proposal, async () => {
      if (change.kind === 'draft') return this.#write(proposal, change, onMade)
      const plan = await this.#plan(inboxId, change)
      if (plan === 'unknown') return
      if (plan === 'nothing') {
        if (await this.#decide(proposal, 'dismissed')) this.#context.shell.toasts.show(NOTHING_LEFT)
      } else if (await this.#decide(proposal, 'done')) {
        if (!(await this.#make(plan))) await this.#reopen([proposal.id])
      }
    })
  }

  dismiss(proposal: Proposal): Promise<void> {
    return this.#once(proposal, async () => {
      if (await this.#decide(proposal, 'dismissed')) this.#noteDismissed([proposal.id])
    })
  }

  async dismissAll(): Promise<void> {
    const waiting = this.#context.session.assistants.proposals.filter((proposal) => !this.isBusy(proposal))
    const dismissed: string[] = []
    for (const proposal of waiting) {
      await this.#once(proposal, async () => {
        if (await this.#decide(proposal, 'dismissed')) dismissed.push(proposal.id)
      })
    }
    if (dismissed.length > 0) this.#noteDismissed(dismissed)
  }

  async #write(proposal: Proposal, draft: ProposedDraft, onMade: () => void): Promise<void> {
    const { inboxId } = proposal
    const { target } = draft
    const content = await this.#contentOf(inboxId, draft)
    if (content === null || !(await this.#decide(proposal, 'done'))) return
    const kind = target === null ? 'new' : replyKindOf(draft)
    const { backend, toasts } = this.#context.shell
    const made = await backend.call('draft.create', { inboxId, kind, target, content })
    if (!made.ok) {
      toasts.problem(made.error)
      await this.#reopen([proposal.id])
      return
    }
    // Closing the composer discards an untouched draft. Saving the content keeps it.
    const { draftId, revision } = made.data
    const saved = await backend.call('draft.save', { draftId, revision, content })
    if (!saved.ok) toasts.problem(saved.error)
    onMade()
    await this.#openDraft(draftId)
  }

  async #once({ id }: Proposal, work: () => Promise<void>): Promise<void> {
    if (this.#busy.has(id)) return
    this.#busy.add(id)
    try {
      await work()
      // Remove it from the list before it can be accepted again.
      await this.#context.session.assistants.load()
    } finally {
      this.#busy.delete(id)
    }
  }

  /** The e-mail that a draft replies to, or null if it is gone or couldn't be read. */
  async #openAnswered(inboxId: string, { threadId, emailId }: NonNullable<ProposedDraft['target']>) {
    const opened = await this.#context.shell.backend.call('thread.open', { inboxId, threadId })
    return {
      answered: opened.ok ? (opened.data.emails.find(({ id }) => id === emailId) ?? null) : null,
      problem: opened.ok || opened.error.code === 'not_found' ? null : opened.error,
    }
  }

  /** @returns true if this window decided; otherwise the user was told why not */
  async #decide({ id }: Proposal, decision: Decision): Promise<boolean> {
    const { backend, toasts } = this.#context.shell
    const decided = await backend.call('assistant.decide', { id, decision })
    if (!decided.ok) toasts.problem(decided.error)
    else if (!decided.data.wasOpen) toasts.show('This proposal was already handled in another window.')
    return decided.ok && decided.data.wasOpen
  }

  async #reopen(ids: readonly string[]): Promise<void> {
    const { backend, toasts } = this.#context.shell
    const reopened = await backend.call('assistant.reopen', { ids: [...ids] })
    if (!reopened.ok) toasts.problem(reopened.error)
  }

  #noteDismissed(ids: readonly string[]): void {
    const { session, shell } = this.#context
    session.actions.noteDone(`Dismissed ${formatCount(ids.length, 'proposal')}`, () =>
      shell.backend.call('assistant.reopen', { ids: [...ids] }),
    )
  }

  /** @returns `nothing` if nothing is left to do; `unknown` after a reported problem */
  async #plan(inboxId: string, proposed: ThreadProposal): Promise<Plan | 'nothing' | 'unknown'> {
    const { backend, toasts } = this.#context.shell
    const { mailboxes } = this.#context.session
    const { threadIds, change, applies, said } = planThreads(proposed)
    const read = await backend.call('assistant.threads', { inboxId, threadIds: [...threadIds] })
    if (!read.ok) {
      toasts.problem(read.error)
      return 'unknown'
    }
    const threads = read.data.filter(applies)
    const gone = threadIds.length - read.data.length
    if (threads.length === 0) return 'nothing'
    if (said !== null) {
      const words = toCountedSentence(said, { threads, count: threads.length })
      return { threads, change, said: words, missing: describeMissingItems(gone, 0) }
    }
    await mailboxes.loadLabels(inboxId)
    if (!mailboxes.knowsLabels(inboxId)) {
      toasts.show('This inbox’s labels aren’t loaded yet. Try again in a moment.')
      return 'unknown'
    }
    const { addLabels = [], removeLabels = [] } = change
    const known = (ids: readonly string[]) => ids.flatMap((id) => mailboxes.label(inboxId, id) ?? [])
    const [added, removed] = [known(addLabels), known(removeLabels)]
    const count = added.length + removed.length
    if (count === 0) return 'nothing'
    const names = { added: added.map(({ name }) => name), removed: removed.map(({ name }) => name) }
    return {
      threads,
      change: { addLabels: added.map(({ id }) => id), removeLabels: removed.map(({ id }) => id) },
      said: { count: threads.length, of: (changed) => describeLabelChange(names, describeThreads(threads, changed)) },
      missing: describeMissingItems(gone, addLabels.length + removeLabels.length - count),
    }
  }

  /** @returns true if accepted; otherwise the user was told why not */
  #make({ threads, change, said, missing }: Plan): Promise<boolean> {
    const { session } = this.#context
    const undoable = session.actions.undoable(threads, change)
    const noting: UndoableAction = {
      ...undoable,
      make: async () => {
        const made = await undoable.make()
        return made.ok && missing !== undefined ? { ok: true, data: { ...made.data, note: missing } } : made
      },
    }
    const leaving = threads.filter((thread) => session.threads.loses(thread, change)).map(({ id }) => id)
    const moveOn = prepareRemoval(this.#context, new Set(leaving))
    const made = session.actions.make(noting, said)
    moveOn()
    return made
  }

  /** @returns null if it can't be written, after telling the user */
  async #contentOf(inboxId: string, draft: ProposedDraft) {
    const { shell, session } = this.#context
    const { backend, toasts } = shell
    await session.snippets.loaded()
    const own = session.mailboxes.addresses
    if (draft.target === null) return toComposerContent(draft, null, own)
    const { answered: email, problem } = await this.#openAnswered(inboxId, draft.target)
    if (problem !== null) {
      toasts.problem(problem)
      return null
    }
    if (email?.onServer !== true) {
      toasts.show(
        'The message this draft replies to no longer exists. Copy the draft’s text if you need it, then dismiss the proposal.',
      )
      return null
    }
    if (email.apart === null) return toComposerContent(draft, email, own)
    const of: BodyOwner = { list: 'threads', inboxId, ...draft.target }
    const bodies = await readBodies(backend, of, email.apart, this.#abortSignal)
    if (bodies?.ok === false) toasts.problem(bodies.error)
    return bodies?.ok === true ? toComposerContent(draft, { ...email, ...bodies.data }, own) : null
  }

  async #openDraft(draftId: string): Promise<void> {
    const { shell, session } = this.#context
    const { writing } = session
    await writing.opening(async () => {
      const opened = await shell.backend.call('draft.open', { draftId })
      if (!opened.ok) return void shell.toasts.problem(opened.error)
      const composing = writing.composers.add(opened.data)
      composing.isApart = true
      composing.editing.sign()
    })
  }
}
