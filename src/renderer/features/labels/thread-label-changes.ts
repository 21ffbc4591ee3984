import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { HistorySide } from '../threads/change-history.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { combineChanges, type OptimisticChange } from '../threads/pending-changes.svelte.ts'
import type { CountedSentence, ActionResult, ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { suggestLabelColor } from './label-color.ts'

interface CreatedLabel {
  readonly labelId: string
  readonly changeId: string
}

export interface LabelChange {
  /** Names of labels to create and add. */
  readonly newLabels: readonly string[]
  readonly addLabels: readonly string[]
  readonly removeLabels: readonly string[]
}

interface Parts {
  readonly mailboxes: MailboxesManager
  readonly actions: ThreadActionsManager
  readonly toasts: Pick<ToastManager, 'problem'>
}

/** Changes labels of threads as one undoable step, including the creation of labels. */
export class ThreadLabelChanges {
  readonly #backend: Backend
  readonly #parts: Parts

  constructor(backend: Backend, parts: Parts) {
    this.#backend = backend
    this.#parts = parts
  }

  /** The step takes its place in the undo order at once, even if labels must be created first. */
  async change(
    { inboxId, threads, matching }: Pick<ChosenThreads, 'inboxId' | 'threads' | 'matching'>,
    { newLabels, addLabels, removeLabels }: LabelChange,
    said: CountedSentence,
  ): Promise<void> {
    let undoable = this.#parts.actions.undoable(threads, { addLabels, removeLabels }, matching)
    /** Shows the created labels on the threads. No-op once the step is undone. */
    let showCreated = (_labelIds: readonly string[]): void => undefined
    const draw = (side: HistorySide): OptimisticChange => {
      const drawn = [undoable.draw(side)]
      showCreated = (labelIds) =>
        drawn.push(this.#parts.actions.undoable(threads, { addLabels: labelIds }, matching).draw(side))
      const revert = (): void => {
        showCreated = () => undefined
        combineChanges(drawn).revert()
      }
      return { accept: () => combineChanges(drawn).accept(), revert }
    }
    const make = async (): Promise<Result<ActionResult>> => {
      const created = await this.#createAll(inboxId, newLabels)
      if (!created.ok) return created
      const labelIds = created.data.map(({ labelId }) => labelId)
      undoable = this.#parts.actions.undoable(
        threads,
        { addLabels: [...addLabels, ...labelIds], removeLabels },
        matching,
      )
      if (labelIds.length > 0) showCreated(labelIds)
      const result = await undoable.make()
      if (!result.ok) {
        await this.#undoCreated(created.data)
        return result
      }
      const changeIds = [...created.data.map(({ changeId }) => changeId), ...(result.data.changeIds ?? [])]
      const { threads: changed = null } = result.data
      // Created labels can be undone even if no thread changed.
      return { ok: true, data: { changeIds, threads: changed === 0 && labelIds.length > 0 ? null : changed } }
    }
    await this.#parts.actions.make({ of: 'thread', draw, make }, said)
  }

  /** Creates all labels or none. */
  async #createAll(inboxId: string, names: readonly string[]): Promise<Result<readonly CreatedLabel[]>> {
    const created: CreatedLabel[] = []
    for (const name of names) {
      const result = await this.#backend.call('label.create', {
        inboxId,
        name,
        color: suggestLabelColor(this.#parts.mailboxes.labels(inboxId)),
      })
      if (!result.ok) {
        await this.#undoCreated(created)
        return result
      }
      created.push(result.data)
      // The change below is drawn with the new label's name and colour.
      await this.#parts.mailboxes.loadLabels(inboxId)
    }
    return { ok: true, data: created }
  }

  async #undoCreated(created: readonly CreatedLabel[]): Promise<void> {
    for (const { changeId } of created) {
      const undone = await this.#backend.call('change.undo', { changeId })
      if (!undone.ok) this.#parts.toasts.problem(undone.error)
    }
  }
}
