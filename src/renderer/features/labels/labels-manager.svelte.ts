import type { Label } from '../../../shared/model.ts'
import { findLabelCountProblem, findLabelNameProblem } from '../../../shared/label-rules.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { Question, QuestionManager } from '../../kernel/question-manager.svelte.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import { type ThreadActionsManager, undoableCall } from '../threads/thread-actions-manager.svelte.ts'
import { suggestLabelColor } from './label-color.ts'

interface Parts {
  readonly mailboxes: MailboxesManager
  readonly actions: ThreadActionsManager
  readonly route: Readonly<RouteManager>
  readonly questions: QuestionManager
  /** True if all inboxes are combined. */
  readonly isUnified: boolean
}

/** Creates, edits and deletes labels. All of it can be undone. */
export class LabelsManager {
  readonly #backend: Backend
  readonly #parts: Parts

  constructor(backend: Backend, parts: Parts) {
    this.#backend = backend
    this.#parts = parts
    backend.on('labels.changed', ({ replaced }) => {
      if (replaced.length > 0) this.#followRoute()
    })
  }

  /** The label whose list is displayed, or null for other lists and deleted labels. */
  get shown(): { readonly inboxId: string; readonly label: Label } | null {
    const { current } = this.#parts.route
    if (current.view !== 'label') return null
    const label = this.#parts.mailboxes.label(current.inboxId, current.labelId)
    return label === undefined ? null : { inboxId: current.inboxId, label }
  }

  askForNew(inboxId: string): void {
    const color = suggestLabelColor(this.#parts.mailboxes.labels(inboxId))
    this.#ask(inboxId, { id: null, name: '', color }, false)
  }

  edit(inboxId: string, label: Label, part: 'name' | 'color' = 'name'): void {
    this.#ask(inboxId, label, part === 'color')
  }

  /** Asks for confirmation, and loads the number of threads. */
  askToDelete(inboxId: string, label: Label): void {
    let threads = $state.raw<number | null>(null)
    const isShown = this.shown?.label.id === label.id
    const question: Question = {
      title: `Delete label “${label.name}”`,
      get description() {
        if (threads === null) return 'The label will be removed from every thread. You can undo this.'
        if (threads === 0) return 'No thread on this computer has this label. You can undo this.'
        return `The label will be removed from ${formatCount(threads, 'thread')}. You can undo this.`
      },
      action: 'Delete',
      answer: () => {
        const from = threads === null || threads === 0 ? '' : ` and removed from ${formatCount(threads, 'thread')}`
        return this.#do(
          () => this.#backend.call('label.delete', { inboxId, labelId: label.id }),
          `Label “${label.name}” deleted${from}`,
        )
      },
      // From the deleted label's list to the inbox.
      onDone: () => {
        if (isShown) this.#parts.route.replace({ view: 'folder', inboxId, folder: 'inbox', threadId: null })
      },
    }
    this.#parts.questions.ask(question)
    void this.#backend.call('label.usage', { inboxId, labelId: label.id }).then((result) => {
      if (result.ok) ({ threads } = result.data)
      else this.#parts.questions.fail(question, result.error)
    })
  }

  /** Looks up a label ID that isn't in the list: an old route may contain a former ID. */
  async look(inboxId: string, labelId: string): Promise<void> {
    const result = await this.#backend.call('label.usage', { inboxId, labelId })
    if (!result.ok || result.data.labelId === labelId) return
    this.#parts.mailboxes.noteLabelId(labelId, result.data.labelId)
    this.#followRoute()
  }

  /** Keeps a label's list displayed when the platform gives the label its own ID. */
  #followRoute(): void {
    const { current } = this.#parts.route
    if (current.view !== 'label') return
    const labelId = this.#parts.mailboxes.labelIdNow(current.labelId)
    if (labelId !== current.labelId) this.#parts.route.replace({ ...current, labelId })
  }

  #ask(inboxId: string, { id: labelId, ...before }: Omit<Label, 'id'> & { id: string | null }, isColor: boolean): void {
    const note =
      labelId === null
        ? 'The label is added to each inbox when you first use it there.'
        : 'Changes the label with this name in every inbox.'
    this.#parts.questions.ask({
      title: labelId === null ? 'New label' : 'Edit label',
      action: labelId === null ? 'Create' : 'Save',
      field: {
        label: 'Name',
        value: before.name,
        isRequired: true,
        faultOf: (typed) => this.#faultOf(inboxId, labelId, typed),
      },
      color: { value: before.color, isFirst: isColor },
      ...(this.#parts.isUnified && { note }),
      answer: async (typed, color) => {
        const name = typed.trim()
        if (labelId === null) {
          const create = () => this.#backend.call('label.create', { inboxId, name, color })
          return this.#do(create, `Label “${name}” created`)
        }
        if (name === before.name && color.toUpperCase() === before.color.toUpperCase()) return null
        return this.#do(
          () => this.#backend.call('label.update', { inboxId, labelId, name, color }),
          name === before.name ? `Colour of label “${name}” changed` : `Label “${before.name}” renamed to “${name}”`,
        )
      },
    })
  }

  /** Problem with a name being typed, or null. Empty names have none, as typing isn't finished. */
  #faultOf(inboxId: string, labelId: string | null, name: string): string | null {
    const labels = this.#parts.mailboxes.labels(inboxId)
    const idNow = labelId === null ? null : this.#parts.mailboxes.labelIdNow(labelId)
    const others = labels.filter(({ id }) => id !== idNow)
    return (
      (name.trim() === '' ? null : findLabelNameProblem(name, others)) ??
      (labelId === null ? findLabelCountProblem(labels) : null)
    )
  }

  /** Runs an undoable step. Undo returns to the current place. @returns the problem, or null */
  async #do(ask: () => Promise<Result<{ readonly changeId: string }>>, said: string): Promise<Problem | null> {
    let rejected: Problem | null = null
    const onRejected = (problem: Problem): void => void (rejected = problem)
    await this.#parts.actions.make({ ...undoableCall('label', ask), onRejected }, said)
    return rejected
  }
}
