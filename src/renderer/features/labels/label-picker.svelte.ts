/* eslint-disable svelte/prefer-svelte-reactivity -- `#before` is a value that is replaced, never changed */
import { SvelteMap } from 'svelte/reactivity'
import type { Label, Thread } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { namedThreads } from '../threads/named-threads.ts'
import {
  carriedBy,
  choiceKey,
  choiceName,
  labelsSaid,
  ticked,
  type Carried,
  type LabelChoice,
} from './label-choices.ts'
import type { Labelling } from './labelling.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly labelPicker: LabelPicker
  }
}

interface Tick {
  readonly choice: LabelChoice
  readonly shown: Carried
}

/** Puts labels on threads and takes them off, as many as a person ticks, in one change. */
export class LabelPicker {
  readonly #mailboxes: MailboxesManager
  readonly #labelling: Labelling
  #threads = $state.raw<readonly Thread[]>([])
  #all = $state.raw<Pick<ChosenThreads, 'count' | 'matching'>>({ count: 0, matching: null })
  /** What the threads carried when they were chosen, by the ID that the label had then; the order of the list keeps to it. */
  #before = $state.raw<ReadonlyMap<string, Carried>>(new Map())
  /** What a person has ticked so far, by `choiceKey`. */
  readonly #ticks = new SvelteMap<string, Tick>()

  constructor(
    backend: Backend,
    { mailboxes, labelling }: { readonly mailboxes: MailboxesManager; readonly labelling: Labelling },
  ) {
    this.#mailboxes = mailboxes
    this.#labelling = labelling
    backend.on('labels.changed', ({ replaced }) => {
      for (const { was, id } of replaced) this.#rename(was, id)
    })
  }

  /** What labels are picked for; none where the picker is not open. */
  get threads(): readonly Thread[] {
    return this.#threads
  }

  /** Threads that it is about, also where not all of them are at hand. */
  get count(): number {
    return this.#all.count
  }

  get isOpen(): boolean {
    return this.#threads.length > 0
  }

  /** The labels of the threads' inbox: those that any of them carried first. */
  get labels(): readonly Label[] {
    const { inboxId } = this
    if (inboxId === null) return []
    const isCarried = ({ id }: Label): number => (this.#carriedBefore(id) === 'none' ? 1 : 0)
    return this.#mailboxes.labels(inboxId).toSorted((a, b) => isCarried(a) - isCarried(b))
  }

  /** The first of them that ticking would put on a thread, and not take off; -1 where all are on all of the threads. */
  get startAt(): number {
    return this.labels.findIndex(({ id }) => this.#carriedBefore(id) !== 'all')
  }

  /** Names of labels that are ticked to be made. */
  get made(): readonly string[] {
    return [...this.#ticks.values()].flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : []))
  }

  /** Labels that were ticked and have been deleted since, here or elsewhere. */
  get lost(): readonly string[] {
    return [...this.#ticks.values()].flatMap(({ choice }) => (this.#isThere(choice) ? [] : [choiceName(choice)]))
  }

  /** What is ticked and differs from what the threads carry. */
  get changes(): readonly Tick[] {
    return [...this.#ticks.values()].filter(
      ({ choice, shown }) => this.#isThere(choice) && shown !== this.#beforeOf(choice),
    )
  }

  get inboxId(): string | null {
    return this.#threads[0]?.inboxId ?? null
  }

  /**
   * @param threads of one inbox
   * @param all where these are not all of them: how many there are, and which
   */
  open(
    threads: readonly Thread[],
    all: Pick<ChosenThreads, 'count' | 'matching'> = { count: threads.length, matching: null },
  ): void {
    this.#threads = threads
    this.#all = all
    this.#ticks.clear()
    const ids = new Set(threads.flatMap(({ labels }) => labels.map(({ id }) => this.#idNow(id))))
    // Of threads that are not at hand nobody knows what they carry.
    const knownOf = (carried: Carried): Carried => (all.matching !== null && carried === 'all' ? 'some' : carried)
    this.#before = new Map([...ids].map((id) => [id, knownOf(carriedBy(threads, id, (each) => this.#idNow(each)))]))
  }

  /** What was ticked is forgotten. */
  close(): void {
    this.#threads = []
  }

  shownOf(choice: LabelChoice): Carried {
    return this.#ticks.get(choiceKey(choice))?.shown ?? this.#beforeOf(choice)
  }

  isTicked(choice: LabelChoice): boolean {
    return this.#ticks.has(choiceKey(choice)) && this.shownOf(choice) !== this.#beforeOf(choice)
  }

  toggle(choice: LabelChoice): void {
    const key = choiceKey(choice)
    const shown = ticked(this.shownOf(choice), this.#beforeOf(choice))
    if (choice.kind === 'new' && shown === 'none') this.#ticks.delete(key)
    else this.#ticks.set(key, { choice, shown })
  }

  /**
   * Makes of the threads what is ticked, in one step that can be undone, and closes. The step has its place among the others
   * from now on, also where labels have to be made first: what a person does next is undone before it.
   */
  async apply(): Promise<void> {
    const { threads, changes, inboxId } = this
    const { count, matching } = this.#all
    this.close()
    if (inboxId === null || changes.length === 0) return
    const idsOf = (wanted: Carried): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (choice.kind === 'label' && shown === wanted ? [choice.label.id] : []))
    const namesOf = (wanted: Carried): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (shown === wanted ? [choiceName(choice)] : []))
    const names = { added: namesOf('all'), removed: namesOf('none') }
    await this.#labelling.change(
      { inboxId, threads, matching },
      {
        toMake: changes.flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : [])),
        addLabels: idsOf('all'),
        removeLabels: idsOf('none'),
      },
      { count, of: (changed) => labelsSaid(names, namedThreads(threads, changed)) },
    )
  }

  #idNow(labelId: string): string {
    return this.#mailboxes.labelIdNow(labelId)
  }

  #carriedBefore(labelId: string): Carried {
    return this.#before.get(labelId) ?? 'none'
  }

  #beforeOf(choice: LabelChoice): Carried {
    return choice.kind === 'new' ? 'none' : this.#carriedBefore(choice.label.id)
  }

  #isThere(choice: LabelChoice): boolean {
    const { inboxId } = this
    return choice.kind === 'new' || (inboxId !== null && this.#mailboxes.label(inboxId, choice.label.id) !== undefined)
  }

  /** The platform has given a label its own ID: what is known of it by the former one goes over. */
  #rename(was: string, id: string): void {
    const carried = this.#before.get(was)
    if (carried !== undefined) this.#before = new Map([...this.#before, [id, carried]])
    for (const [key, { choice, shown }] of this.#ticks) {
      if (choice.kind !== 'label' || choice.label.id !== was) continue
      const next: LabelChoice = { kind: 'label', label: { ...choice.label, id } }
      this.#ticks.delete(key)
      this.#ticks.set(choiceKey(next), { choice: next, shown })
    }
  }
}
