/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: `#before` is replaced, never mutated */
import { SvelteMap } from 'svelte/reactivity'
import type { Label, Thread } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { describeThreads } from '../threads/describe-threads.ts'
import {
  labelStateOf,
  labelChoiceKey,
  formatChoiceName,
  describeLabelChange,
  toggleLabelState,
  type LabelState,
  type LabelChoice,
} from './label-choices.ts'
import type { ThreadLabelChanges } from './thread-label-changes.ts'

interface Tick {
  readonly choice: LabelChoice
  readonly shown: LabelState
}

/** Adds and removes the ticked labels in one change. */
export class LabelPicker {
  readonly #mailboxes: MailboxesManager
  readonly #labelChanges: ThreadLabelChanges
  #threads = $state.raw<readonly Thread[]>([])
  #all = $state.raw<Pick<ChosenThreads, 'count' | 'matching'>>({ count: 0, matching: null })
  /** Initial state of the labels, by their ID at that time. Determines the list order. */
  #before = $state.raw<ReadonlyMap<string, LabelState>>(new Map())
  /** Ticks by `choiceKey`. */
  readonly #ticks = new SvelteMap<string, Tick>()

  constructor(
    backend: Backend,
    { mailboxes, labelChanges }: { readonly mailboxes: MailboxesManager; readonly labelChanges: ThreadLabelChanges },
  ) {
    this.#mailboxes = mailboxes
    this.#labelChanges = labelChanges
    backend.on('labels.changed', ({ replaced }) => {
      for (const { was, id } of replaced) this.#rename(was, id)
    })
  }

  /** Threads to label. Empty while the picker is closed. */
  get threads(): readonly Thread[] {
    return this.#threads
  }

  /** Number of threads, including those not loaded. */
  get count(): number {
    return this.#all.count
  }

  get isOpen(): boolean {
    return this.#threads.length > 0
  }

  /** Labels of the inbox, starting with those on any of the threads. */
  get labels(): readonly Label[] {
    const { inboxId } = this
    if (inboxId === null) return []
    const isCarried = ({ id }: Label): number => (this.#stateBefore(id) === 'none' ? 1 : 0)
    return this.#mailboxes.labels(inboxId).toSorted((a, b) => isCarried(a) - isCarried(b))
  }

  /** Index of the first label that ticking would add rather than remove, or -1. */
  get startAt(): number {
    return this.labels.findIndex(({ id }) => this.#stateBefore(id) !== 'all')
  }

  /** Names of ticked labels to create. */
  get made(): readonly string[] {
    return [...this.#ticks.values()].flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : []))
  }

  /** Ticked labels that have been deleted since. */
  get lost(): readonly string[] {
    return [...this.#ticks.values()].flatMap(({ choice }) => (this.#exists(choice) ? [] : [formatChoiceName(choice)]))
  }

  /** Ticks that differ from the initial state. */
  get changes(): readonly Tick[] {
    return [...this.#ticks.values()].filter(
      ({ choice, shown }) => this.#exists(choice) && shown !== this.#beforeOf(choice),
    )
  }

  get inboxId(): string | null {
    return this.#threads[0]?.inboxId ?? null
  }

  /** All `threads` belong to one inbox. `all` has the total number and the query if only some are loaded. */
  open(
    threads: readonly Thread[],
    all: Pick<ChosenThreads, 'count' | 'matching'> = { count: threads.length, matching: null },
  ): void {
    this.#threads = threads
    this.#all = all
    this.#ticks.clear()
    const ids = new Set(threads.flatMap(({ labels }) => labels.map(({ id }) => this.#idNow(id))))
    // The labels of threads not loaded are unknown.
    const knownOf = (carried: LabelState): LabelState => (all.matching !== null && carried === 'all' ? 'some' : carried)
    this.#before = new Map([...ids].map((id) => [id, knownOf(labelStateOf(threads, id, (each) => this.#idNow(each)))]))
  }

  close(): void {
    this.#threads = []
  }

  shownOf(choice: LabelChoice): LabelState {
    return this.#ticks.get(labelChoiceKey(choice))?.shown ?? this.#beforeOf(choice)
  }

  isTicked(choice: LabelChoice): boolean {
    return this.#ticks.has(labelChoiceKey(choice)) && this.shownOf(choice) !== this.#beforeOf(choice)
  }

  toggle(choice: LabelChoice): void {
    const key = labelChoiceKey(choice)
    const shown = toggleLabelState(this.shownOf(choice), this.#beforeOf(choice))
    if (choice.kind === 'new' && shown === 'none') this.#ticks.delete(key)
    else this.#ticks.set(key, { choice, shown })
  }

  /** Applies the ticks as one undoable step and closes. The step's place in the undo order is fixed at once. */
  async apply(): Promise<void> {
    const { threads, changes, inboxId } = this
    const { count, matching } = this.#all
    this.close()
    if (inboxId === null || changes.length === 0) return
    const idsOf = (wanted: LabelState): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (choice.kind === 'label' && shown === wanted ? [choice.label.id] : []))
    const namesOf = (wanted: LabelState): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (shown === wanted ? [formatChoiceName(choice)] : []))
    const names = { added: namesOf('all'), removed: namesOf('none') }
    await this.#labelChanges.change(
      { inboxId, threads, matching },
      {
        newLabels: changes.flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : [])),
        addLabels: idsOf('all'),
        removeLabels: idsOf('none'),
      },
      { count, of: (changed) => describeLabelChange(names, describeThreads(threads, changed)) },
    )
  }

  #idNow(labelId: string): string {
    return this.#mailboxes.labelIdNow(labelId)
  }

  #stateBefore(labelId: string): LabelState {
    return this.#before.get(labelId) ?? 'none'
  }

  #beforeOf(choice: LabelChoice): LabelState {
    return choice.kind === 'new' ? 'none' : this.#stateBefore(choice.label.id)
  }

  #exists(choice: LabelChoice): boolean {
    const { inboxId } = this
    return choice.kind === 'new' || (inboxId !== null && this.#mailboxes.label(inboxId, choice.label.id) !== undefined)
  }

  /** Moves the state of a label to the ID the platform gave it. */
  #rename(was: string, id: string): void {
    const carried = this.#before.get(was)
    if (carried !== undefined) this.#before = new Map([...this.#before, [id, carried]])
    for (const [key, { choice, shown }] of this.#ticks) {
      if (choice.kind !== 'label' || choice.label.id !== was) continue
      const next: LabelChoice = { kind: 'label', label: { ...choice.label, id } }
      this.#ticks.delete(key)
      this.#ticks.set(labelChoiceKey(next), { choice: next, shown })
    }
  }
}
