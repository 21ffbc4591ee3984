/* eslint-disable svelte/prefer-svelte-reactivity -- `#before` is a value that is replaced, never changed */
import { SvelteMap } from 'svelte/reactivity'
import type { Label, Thread } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import type { MailboxesManager } from '../mailboxes/mailboxes-manager.svelte.ts'
import type { Side } from '../threads/change-history.ts'
import type { ChosenThreads } from '../threads/chosen-threads.ts'
import { drawTogether, type DrawnChange } from '../threads/pending-changes.svelte.ts'
import { namedThreads } from '../threads/named-threads.ts'
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

interface CreatedLabel {
  readonly labelId: string
  readonly changeId: string
}

interface Tick {
  readonly choice: LabelChoice
  readonly shown: Carried
}

/** Puts labels on threads and takes them off, as many as a person ticks, in one change. */
export class LabelPicker {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
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
    {
      mailboxes,
      actions,
      toasts,
    }: {
      readonly mailboxes: MailboxesManager
      readonly actions: ThreadActionsManager
      readonly toasts: Pick<ToastManager, 'problem'>
    },
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
    const toMake = changes.flatMap(({ choice }) => (choice.kind === 'new' ? [choice.name] : []))
    const [addLabels, removeLabels] = [idsOf('all'), idsOf('none')]
    let making = this.#actions.making(threads, { addLabels, removeLabels }, matching)
    /** Draws the labels that were made over the threads; nothing any more, where that is undone already. */
    let drawMade = (_labelIds: readonly string[]): void => undefined
    const draw = (side: Side): DrawnChange => {
      const drawn = [making.draw(side)]
      drawMade = (labelIds) => drawn.push(this.#actions.making(threads, { addLabels: labelIds }, matching).draw(side))
      const revert = (): void => {
        drawMade = () => undefined
        drawTogether(drawn).revert()
      }
      return { accept: () => drawTogether(drawn).accept(), revert }
    }
    const make = async (): Promise<Result<Made>> => {
      const created = await this.#createAll(inboxId, toMake)
      if (!created.ok) return created
      const labelIds = created.data.map(({ labelId }) => labelId)
      making = this.#actions.making(threads, { addLabels: [...addLabels, ...labelIds], removeLabels }, matching)
      if (labelIds.length > 0) drawMade(labelIds)
      const result = await making.make()
      if (!result.ok) {
        await this.#undoCreated(created.data)
        return result
      }
      const changeIds = [...created.data.map(({ changeId }) => changeId), ...result.data.changeIds]
      const { threads: changed } = result.data
      // Where no thread was changed, the labels that were made are still something to undo.
      return { ok: true, data: { changeIds, threads: changed === 0 && labelIds.length > 0 ? null : changed } }
    }
    const names = { added: namesOf('all'), removed: namesOf('none') }
    const said = { count, of: (changed: number) => labelsSaid(names, namedThreads(threads, changed)) }
    await this.#actions.make({ of: 'thread', draw, make }, said)
  }

  /** Makes labels; where one of them cannot be made, none of them is kept. */
  async #createAll(inboxId: string, names: readonly string[]): Promise<Result<readonly CreatedLabel[]>> {
    const created: CreatedLabel[] = []
    for (const name of names) {
      const result = await this.#backend.call('label.create', {
        inboxId,
        name,
        color: nextLabelColor(this.#mailboxes.labels(inboxId)),
      })
      if (!result.ok) {
        await this.#undoCreated(created)
        return result
      }
      created.push(result.data)
      // The change that follows is drawn with its name and colour.
      await this.#mailboxes.loadLabels(inboxId)
    }
    return { ok: true, data: created }
  }

  async #undoCreated(created: readonly CreatedLabel[]): Promise<void> {
    for (const { changeId } of created) {
      const undone = await this.#backend.call('change.undo', { changeId })
      if (!undone.ok) this.#toasts.problem(undone.error)
    }
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
