/* eslint-disable svelte/prefer-svelte-reactivity -- `#before` is a value that is replaced, never changed */
import { SvelteMap } from 'svelte/reactivity'
import type { Label, Thread } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import type { Made, ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import {
  carriedBy,
  choiceKey,
  choiceName,
  labelsSaid,
  ticked,
  type Carried,
  type LabelChoice,
} from './label-choices.ts'
import { nextLabelColor } from './label-color.ts'

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
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #mailboxes: MailboxesManager
  readonly #actions: ThreadActionsManager
  #threads = $state.raw<readonly Thread[]>([])
  #all = $state.raw<Pick<ChosenThreads, 'count' | 'matching'>>({ count: 0, matching: null })
  /** What the threads carried when they were chosen, by the ID that the label had then; the order of the list keeps to it. */
  #before = $state.raw<ReadonlyMap<string, Carried>>(new Map())
  /** What a person has ticked so far, by `choiceKey`. */
  readonly #ticks = new SvelteMap<string, Tick>()

  constructor(
    backend: Backend,
    toasts: ToastManager,
    { mailboxes, actions }: { readonly mailboxes: MailboxesManager; readonly actions: ThreadActionsManager },
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#mailboxes = mailboxes
    this.#actions = actions
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

  /** Makes of the threads what is ticked, in one step that can be undone, and closes. */
  async apply(): Promise<void> {
    const { threads, changes, inboxId } = this
    const { count, matching } = this.#all
    this.close()
    if (inboxId === null || changes.length === 0) return
    const created: { readonly labelId: string; readonly changeId: string }[] = []
    for (const { choice } of changes) {
      if (choice.kind !== 'new') continue
      const result = await this.#create(inboxId, choice.name)
      // What was made for a change that does not come about is taken back, and no thread is changed.
      if (!result.ok) return this.#takeBack(created, result)
      created.push(result.data)
    }
    const idsOf = (wanted: Carried): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (choice.kind === 'label' && shown === wanted ? [choice.label.id] : []))
    const namesOf = (wanted: Carried): readonly string[] =>
      changes.flatMap(({ choice, shown }) => (shown === wanted ? [choiceName(choice)] : []))
    const making = this.#actions.making(
      threads,
      { addLabels: [...idsOf('all'), ...created.map(({ labelId }) => labelId)], removeLabels: idsOf('none') },
      matching,
    )
    const make = async (): Promise<Result<Made>> => {
      const result = await making.make()
      if (!result.ok) return result
      const changeIds = [...created.map(({ changeId }) => changeId), ...result.data.changeIds]
      const { threads: changed } = result.data
      // Where no thread was changed, the labels that were made are still something to undo.
      return { ok: true, data: { changeIds, threads: changed === 0 && created.length > 0 ? null : changed } }
    }
    const names = { added: namesOf('all'), removed: namesOf('none') }
    const said = { count, of: (changed: number) => labelsSaid(names, changed) }
    const isMade = await this.#actions.make({ ...making, make }, said)
    if (!isMade) await this.#undoCreated(created)
  }

  async #create(inboxId: string, name: string) {
    const result = await this.#backend.call('label.create', {
      inboxId,
      name,
      color: nextLabelColor(this.#mailboxes.labels(inboxId)),
    })
    // The change that follows is drawn with its name and colour.
    if (result.ok) await this.#mailboxes.loadLabels(inboxId)
    return result
  }

  /** A label could not be made: those that were made beside it are not kept, either. */
  async #takeBack(
    created: readonly { readonly changeId: string }[],
    failed: { readonly error: Parameters<ToastManager['problem']>[0] },
  ): Promise<void> {
    await this.#undoCreated(created)
    this.#toasts.problem(failed.error)
  }

  async #undoCreated(created: readonly { readonly changeId: string }[]): Promise<void> {
    for (const { changeId } of created) await this.#backend.call('change.undo', { changeId })
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
