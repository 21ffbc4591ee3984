/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: `#before` is replaced, never mutated */
import Plus from '@lucide/svelte/icons/plus'
import Tag from '@lucide/svelte/icons/tag'
import { SvelteMap } from 'svelte/reactivity'
import type { Label } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { formatSubject } from '../threads/correspondent.ts'
import { describeThreads } from '../threads/describe-threads.ts'
import type { PickerEntry, PickerManager } from '../threads/pickers.svelte.ts'
import {
  findLabelChoices,
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

interface Parts {
  readonly mailboxes: MailboxesManager
  readonly labelChanges: ThreadLabelChanges
  readonly picker: PickerManager
}

/** Adds and removes the ticked labels in one change. */
export class LabelPicker {
  readonly #parts: Parts
  /** Threads to label, or those labelled last. */
  chosen = $state.raw<ChosenThreads | null>(null)
  /** Initial state of the labels, by their ID at that time. Determines the list order. */
  #before = $state.raw<ReadonlyMap<string, LabelState>>(new Map())
  /** Ticks by `choiceKey`. */
  readonly #ticks = new SvelteMap<string, Tick>()

  constructor(backend: Backend, parts: Parts) {
    this.#parts = parts
    backend.on('labels.changed', ({ replaced }) => {
      for (const { was, id } of replaced) this.#rename(was, id)
    })
  }

  /** Labels of the inbox, starting with those on any of the threads. */
  get labels(): readonly Label[] {
    if (this.chosen === null) return []
    const isCarried = ({ id }: Label): number => (this.#stateBefore(id) === 'none' ? 1 : 0)
    return this.#parts.mailboxes.labels(this.chosen.inboxId).toSorted((a, b) => isCarried(a) - isCarried(b))
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

  open(chosen: ChosenThreads): void {
    const { threads, count, matching } = chosen
    this.chosen = chosen
    this.#ticks.clear()
    const ids = new Set(threads.flatMap(({ labels }) => labels.map(({ id }) => this.#idNow(id))))
    // The labels of threads not loaded are unknown.
    const knownOf = (carried: LabelState): LabelState => (matching !== null && carried === 'all' ? 'some' : carried)
    this.#before = new Map([...ids].map((id) => [id, knownOf(labelStateOf(threads, id, (each) => this.#idNow(each)))]))
    const [first] = threads
    const onlyFirst = count === 1 && first !== undefined
    this.#parts.picker.open({
      title: 'Labels',
      icon: Tag,
      label: 'Find or create a label',
      listLabel: 'Labels',
      // The first label that ticking would add rather than remove.
      startAt: this.labels.findIndex(({ id }) => this.#stateBefore(id) !== 'all'),
      find: (typed) => this.#find(typed),
      about: `On ${onlyFirst ? formatSubject(first.subject) : formatCount(count, 'thread')}`,
    })
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
    const { chosen, changes } = this
    this.#parts.picker.isOpen = false
    if (chosen === null || changes.length === 0) return
    const idsOf = (wanted: LabelState): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (choice.kind === 'label' && shown === wanted ? [choice.label.id] : []))
    const namesOf = (wanted: LabelState): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (shown === wanted ? [formatChoiceName(choice)] : []))
    const names = { added: namesOf('all'), removed: namesOf('none') }
    await this.#parts.labelChanges.change(
      chosen,
      {
        newLabels: changes.flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : [])),
        addLabels: idsOf('all'),
        removeLabels: idsOf('none'),
      },
      { count: chosen.count, of: (changed) => describeLabelChange(names, describeThreads(chosen.threads, changed)) },
    )
  }

  #find(typed: string) {
    const made = [...this.#ticks.values()].flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : []))
    const { choices, fault } = findLabelChoices(typed, this.labels, made)
    return {
      options: choices.map((choice): PickerEntry => {
        const [carried, isTicked] = [this.shownOf(choice), this.isTicked(choice)]
        const common = { carried, isTicked, choose: () => this.toggle(choice) }
        const name = formatChoiceName(choice)
        if (choice.kind === 'new' && !isTicked) {
          return { ...common, name: `Create “${name}”`, icon: Plus, enter: 'Create and add' }
        }
        const enter = carried === 'all' ? 'Remove' : 'Add'
        return choice.kind === 'new'
          ? { ...common, name, detail: 'New', enter }
          : { ...common, name, color: choice.label.color, enter }
      }),
      nothing: fault === null ? 'This inbox has no labels yet. Type a name to create one.' : 'No matching label.',
      faults: [...(fault === null ? [] : [fault]), ...this.lost.map((name) => `The label “${name}” was just deleted.`)],
      apply: { count: this.changes.length, run: () => void this.apply() },
    }
  }

  #idNow(labelId: string): string {
    return this.#parts.mailboxes.labelIdNow(labelId)
  }

  #stateBefore(labelId: string): LabelState {
    return this.#before.get(labelId) ?? 'none'
  }

  #beforeOf(choice: LabelChoice): LabelState {
    return choice.kind === 'new' ? 'none' : this.#stateBefore(choice.label.id)
  }

  #exists(choice: LabelChoice): boolean {
    if (choice.kind === 'new') return true
    return this.chosen !== null && this.#parts.mailboxes.label(this.chosen.inboxId, choice.label.id) !== undefined
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
