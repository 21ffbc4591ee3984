import UserPlus from '@lucide/svelte/icons/user-plus'
import UserX from '@lucide/svelte/icons/user-x'
import { SvelteMap } from 'svelte/reactivity'
import {
  buildAssignmentChange,
  findAssignee,
  toAssigneeLabelName,
  toDashboardAssignee,
  type AssignedQuery,
} from '../../../shared/assignees.ts'
import type { KnownAssignees, AssignedUnreadCounts } from '../../../shared/contract.ts'
import type { Label } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { QuestionManager } from '../../kernel/question-manager.svelte.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ThreadLabelChanges } from '../labels/thread-label-changes.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { formatSubject } from '../threads/correspondent.ts'
import { describeThreads } from '../threads/describe-threads.ts'
import type { PickerEntry, PickerManager } from '../threads/pickers.svelte.ts'
import {
  findAssigneeChoices,
  assignmentStateOf,
  describeChoiceError,
  type AssigneeSources,
} from './assignee-choices.ts'

const UNKNOWN: KnownAssignees = { me: [], suggested: null, writers: [], inDashboard: [] }

interface Parts {
  readonly mailboxes: MailboxesManager
  readonly labelChanges: ThreadLabelChanges
  readonly toasts: Readonly<ToastManager>
  readonly picker: PickerManager
  readonly questions: QuestionManager
  /** True if all inboxes are combined. */
  readonly isUnified: boolean
}

export class AssigneesManager {
  readonly #backend: Backend
  readonly #parts: Parts
  readonly #known = new SvelteMap<string, KnownAssignees>()
  readonly #unread = new SvelteMap<string, AssignedUnreadCounts>()

  constructor(backend: Backend, parts: Parts) {
    this.#backend = backend
    this.#parts = parts
    backend.on('assignees.changed', () => {
      for (const inboxId of [...this.#known.keys()]) void this.load(inboxId)
    })
    backend.on('savedSearches.changed', () => {
      for (const inboxId of [...this.#known.keys()]) void this.#count(inboxId)
    })
  }

  async load(inboxId: string): Promise<void> {
    const result = await this.#backend.call('assignee.list', { inboxId })
    // Without this list, threads can still be assigned to people with a label.
    if (result.ok) this.#known.set(inboxId, result.data)
    await this.#count(inboxId)
  }

  /** Unread inbox threads assigned to the user or to nobody; null if unknown. */
  unread(inboxId: string, query: AssignedQuery): number | null {
    return this.#unread.get(inboxId)?.[query] ?? null
  }

  /** The user's names in an inbox. Empty if unknown or not set. */
  me(inboxId: string | null): readonly string[] {
    return (inboxId === null ? UNKNOWN : (this.#known.get(inboxId) ?? UNKNOWN)).me
  }

  /** Labels that a search can name: the inbox's labels, and its assignees in the dashboard. */
  searchLabels(inboxId: string): readonly Label[] {
    const { inDashboard } = this.#known.get(inboxId) ?? UNKNOWN
    return [...this.#labels(inboxId), ...inDashboard.map(toDashboardAssignee)]
  }

  /** Names for parsing a search of an inbox. */
  searchContext(inboxId: string): { readonly labels: readonly Label[]; readonly me: readonly string[] } {
    return { labels: this.searchLabels(inboxId), me: this.me(inboxId) }
  }

  /** Opens the picker of colleagues. */
  open(chosen: ChosenThreads): void {
    const [first] = chosen.threads
    this.#parts.picker.open({
      title: 'Assign to',
      icon: UserPlus,
      label: 'Find or add a colleague',
      listLabel: 'Colleagues',
      find: (typed) => this.#find(chosen, typed),
      about:
        chosen.count === 1 && first !== undefined ? formatSubject(first.subject) : formatCount(chosen.count, 'thread'),
    })
    void this.load(chosen.inboxId)
  }

  /** Assigns threads to a person as one undoable step; null unassigns them. */
  async assign(chosen: ChosenThreads, name: string | null): Promise<void> {
    const { inboxId, threads, count } = chosen
    const labels = this.#labels(inboxId)
    const known = name === null ? undefined : findAssignee(name, labels)
    const made = name === null || known !== undefined ? null : toAssigneeLabelName(name)
    const shown = known?.name ?? made?.slice(1) ?? null
    await this.#parts.labelChanges.change(
      chosen,
      { newLabels: made === null ? [] : [made], ...buildAssignmentChange(labels, known?.labels[0].id ?? null) },
      {
        count,
        of: (changed) => {
          const what = describeThreads(threads, changed)
          return shown === null ? `Unassigned ${what}` : `Assigned ${what} to ${shown}`
        },
      },
    )
  }

  /** Assigns threads to the user, asking for their name if unknown. */
  async assignToMe(chosen: ChosenThreads): Promise<void> {
    if (!this.#known.has(chosen.inboxId)) await this.load(chosen.inboxId)
    const [me] = this.me(chosen.inboxId)
    if (me === undefined) await this.askOwnName(chosen.inboxId, chosen)
    else await this.assign(chosen, me)
  }

  /** Asks for the user's name, and stores it. @param chosen threads to assign to the user then */
  async askOwnName(inboxId: string, chosen: ChosenThreads | null = null): Promise<void> {
    await this.load(inboxId)
    const { me, suggested } = this.#known.get(inboxId) ?? UNKNOWN
    const accounts = this.#parts.isUnified ? 'all accounts' : 'this account'
    this.#parts.questions.ask({
      title: 'Set your name',
      description: `Colleagues see this name on threads assigned to you in ${accounts}.`,
      action: chosen === null ? 'Save' : 'Assign to me',
      field: { label: 'Your name', value: me[0] ?? suggested ?? '', maxlength: 63 },
      isPossible: (typed) => chosen === null || typed.trim() !== '',
      answer: async (typed) => {
        const result = await this.#backend.call('assignee.setMe', { name: typed.trim() === '' ? null : typed.trim() })
        return result.ok ? null : result.error
      },
      onDone: () => void this.#useOwnName(inboxId, chosen),
    })
  }

  async #useOwnName(inboxId: string, chosen: ChosenThreads | null): Promise<void> {
    await this.load(inboxId)
    const [me] = this.me(inboxId)
    if (chosen !== null && me !== undefined) await this.assign(chosen, me)
    else this.#parts.toasts.show(me === undefined ? 'Your name was cleared' : `Your name is now ${me}`)
  }

  #find(chosen: ChosenThreads, typed: string) {
    const { inboxId, threads, matching } = chosen
    const { choices, fault } = findAssigneeChoices(typed, this.#colleagues(chosen))
    const me = this.me(inboxId)
    return {
      options: choices.map((choice): PickerEntry => {
        const common = { carried: assignmentStateOf(choice, threads, matching === null), person: null }
        if (choice.kind === 'nobody') {
          return { ...common, name: 'No one', icon: UserX, choose: () => void this.assign(chosen, null) }
        }
        const { name, isTyped, isMe, labelId } = choice
        const assignable = {
          ...common,
          fault: describeChoiceError(choice, this.#labels(inboxId)),
          choose: () => void this.assign(chosen, name),
        }
        if (isTyped) return { ...assignable, name: `Assign to “${name}”`, icon: UserPlus }
        const detail = isMe ? 'you' : labelId === null ? 'has sent from this inbox' : ''
        return { ...assignable, name, detail, person: name }
      }),
      nothing: 'No one with this name.',
      faults: fault === null ? [] : [fault],
      button: {
        label: me.length === 0 ? 'Set your name…' : `You are ${me.join(', ')}`,
        run: () => {
          this.#parts.picker.isOpen = false
          void this.askOwnName(inboxId)
        },
      },
    }
  }

  async #count(inboxId: string): Promise<void> {
    const result = await this.#backend.call('assignee.unread', { inboxId })
    if (result.ok) this.#unread.set(inboxId, result.data)
  }

  #labels(inboxId: string): readonly Label[] {
    return this.#parts.mailboxes.labels(inboxId)
  }

  #colleagues({ inboxId, threads }: ChosenThreads): AssigneeSources {
    const { me, writers } = this.#known.get(inboxId) ?? UNKNOWN
    const labels = this.#labels(inboxId)
    // When a thread is shown next to a list of another kind, the inbox's labels load later than the thread's own.
    return { labels: labels.length > 0 ? labels : threads.flatMap((thread) => thread.labels), writers, me }
  }
}
