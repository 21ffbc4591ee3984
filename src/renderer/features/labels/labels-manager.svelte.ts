import type { Label } from '../../../shared/model.ts'
import { findLabelCountProblem, findLabelNameProblem } from '../../../shared/label-rules.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { RouteManager } from '../../kernel/route-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import { NO_OPTIMISTIC_CHANGE } from '../threads/pending-changes.svelte.ts'
import { type ThreadActionsManager, toSingleChangeResult } from '../threads/thread-actions-manager.svelte.ts'
import { suggestLabelColor } from './label-color.ts'

/** Field to focus first. */
export type LabelField = 'name' | 'color'

export interface EditedLabel {
  readonly inboxId: string
  /** Null for a new label. */
  readonly id: string | null
  readonly name: string
  readonly color: string
  readonly part: LabelField
}

export interface LabelToDelete {
  readonly inboxId: string
  readonly label: Label
  /** Number of local threads with the label, or null until known. */
  readonly threads: number | null
}

interface Parts {
  readonly mailboxes: MailboxesManager
  readonly actions: ThreadActionsManager
  readonly route: RouteManager
}

/** Creates, edits and deletes labels. All of it can be undone. */
export class LabelsManager {
  readonly #backend: Backend
  readonly #mailboxes: MailboxesManager
  readonly #actions: ThreadActionsManager
  readonly #route: RouteManager
  #edited = $state.raw<EditedLabel | null>(null)
  #toDelete = $state.raw<LabelToDelete | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isBusy = $state(false)

  constructor(backend: Backend, { mailboxes, actions, route }: Parts) {
    this.#backend = backend
    this.#mailboxes = mailboxes
    this.#actions = actions
    this.#route = route
    backend.on('labels.changed', ({ replaced }) => {
      if (replaced.length > 0) this.#followRoute()
    })
  }

  get edited(): EditedLabel | null {
    return this.#edited
  }

  get toDelete(): LabelToDelete | null {
    return this.#toDelete
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  /** The label whose list is displayed, or null for other lists and deleted labels. */
  get shown(): { readonly inboxId: string; readonly label: Label } | null {
    const { current } = this.#route
    if (current.view !== 'label') return null
    const label = this.#mailboxes.label(current.inboxId, current.labelId)
    return label === undefined ? null : { inboxId: current.inboxId, label }
  }

  askForNew(inboxId: string): void {
    const color = suggestLabelColor(this.#mailboxes.labels(inboxId))
    this.#ask({ inboxId, id: null, name: '', color, part: 'name' })
  }

  edit(inboxId: string, { id, name, color }: Label, part: LabelField = 'name'): void {
    this.#ask({ inboxId, id, name, color, part })
  }

  /** Asks for confirmation and loads the number of threads. */
  askToDelete(inboxId: string, label: Label): void {
    this.#problem = null
    const toDelete = { inboxId, label, threads: null }
    this.#toDelete = toDelete
    void this.#backend.call('label.usage', { inboxId, labelId: label.id }).then((result) => {
      if (this.#toDelete !== toDelete) return
      if (result.ok) this.#toDelete = { ...toDelete, threads: result.data.threads }
      else this.#problem = result.error
    })
  }

  close(): void {
    this.#edited = null
    this.#toDelete = null
    this.#problem = null
  }

  /** Problem with a name being typed, or null. Empty names have none, as typing isn't finished. */
  faultOf(name: string): string | null {
    const edited = this.#edited
    if (edited === null) return null
    const labels = this.#mailboxes.labels(edited.inboxId)
    const idNow = edited.id === null ? null : this.#mailboxes.labelIdNow(edited.id)
    const others = labels.filter(({ id }) => id !== idNow)
    return (
      (name.trim() === '' ? null : findLabelNameProblem(name, others)) ??
      (edited.id === null ? findLabelCountProblem(labels) : null)
    )
  }

  /** Saves the name and colour. On failure the dialog stays open with the reason. */
  async save(typed: string, color: string): Promise<void> {
    const edited = this.#edited
    if (edited === null || this.#isBusy || this.faultOf(typed) !== null) return
    const { inboxId, id: labelId } = edited
    const name = typed.trim()
    if (labelId !== null && name === edited.name && color.toUpperCase() === edited.color.toUpperCase()) {
      this.close()
      return
    }
    const said =
      labelId === null
        ? `Label “${name}” created`
        : name === edited.name
          ? `Colour of label “${name}” changed`
          : `Label “${edited.name}” renamed to “${name}”`
    await this.#do(
      () =>
        labelId === null
          ? this.#backend.call('label.create', { inboxId, name, color })
          : this.#backend.call('label.update', { inboxId, labelId, name, color }),
      said,
    )
  }

  /** Deletes the label in the dialog. If its list is displayed, returns to the inbox. */
  async remove(): Promise<void> {
    const toDelete = this.#toDelete
    if (toDelete === null || this.#isBusy) return
    const { inboxId, label, threads } = toDelete
    const isShown = this.shown?.label.id === label.id
    const fromThreads = threads === null || threads === 0 ? '' : ` and removed from ${formatCount(threads, 'thread')}`
    const isDone = await this.#do(
      () => this.#backend.call('label.delete', { inboxId, labelId: label.id }),
      `Label “${label.name}” deleted${fromThreads}`,
    )
    if (isDone && isShown) this.#route.replace({ view: 'folder', inboxId, folder: 'inbox', threadId: null })
  }

  /** Looks up a label ID that isn't in the list: an old route may contain a former ID. */
  async look(inboxId: string, labelId: string): Promise<void> {
    const result = await this.#backend.call('label.usage', { inboxId, labelId })
    if (!result.ok || result.data.labelId === labelId) return
    this.#mailboxes.noteLabelId(labelId, result.data.labelId)
    this.#followRoute()
  }

  /** Keeps a label's list displayed when the platform gives the label its own ID. */
  #followRoute(): void {
    const { current } = this.#route
    if (current.view !== 'label') return
    const labelId = this.#mailboxes.labelIdNow(current.labelId)
    if (labelId !== current.labelId) this.#route.replace({ ...current, labelId })
  }

  #ask(edited: EditedLabel): void {
    this.#problem = null
    this.#edited = edited
  }

  /** Runs an undoable step. Undo returns to the current place. @returns false on failure */
  async #do(ask: () => Promise<Result<{ readonly changeId: string }>>, said: string): Promise<boolean> {
    this.#isBusy = true
    const isDone = await this.#actions.make(
      {
        of: 'label',
        // Labels are reloaded when the engine reports a change.
        draw: () => NO_OPTIMISTIC_CHANGE,
        make: async () => toSingleChangeResult(await ask()),
        onRejected: (problem) => (this.#problem = problem),
      },
      said,
    )
    this.#isBusy = false
    if (isDone) this.close()
    return isDone
  }
}
