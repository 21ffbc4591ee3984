import type { ContactQuery } from '../../../shared/contact-query.ts'
import type { ChangeReceipt } from '../../../shared/contract/inputs.ts'
import type { Contact, Topic, TopicSettings } from '../../../shared/people.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { QuestionManager } from '../../kernel/question-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { ContactEditor } from '../person/contact-editor.svelte.ts'
import { describeContacts } from '../person/contact-name.ts'
import { type ThreadActionsManager, undoableCall } from '../threads/thread-actions-manager.svelte.ts'

export type TopicDialogState = { readonly act: 'create' } | { readonly act: 'edit'; readonly topic: Topic }

export interface TopicInput extends Omit<TopicSettings, 'visibility' | 'byDefault'> {
  /** Null if unknown and not chosen. */
  readonly visibility: 'public' | 'private' | null
  readonly byDefault: 'opt_in' | 'opt_out'
}

interface ManyContacts {
  /** Selected contacts. */
  readonly contacts: readonly Contact[]
  /** Query of the listed contacts, and their current number: more may arrive while the user decides. */
  readonly query: ContactQuery
  readonly matching: number
}

export type ContactScope = 'chosen' | 'matching'

/** Creates, edits and deletes topics, and changes many subscriptions at once. All of it can be undone. */
export class TopicsManager {
  readonly #backend: Backend
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  readonly #editor: Pick<ContactEditor, 'catalog' | 'load'>
  readonly #questions: Pick<QuestionManager, 'ask'>
  isOpen = $state(false)
  asked = $state.raw<TopicDialogState | null>(null)
  many = $state.raw<ManyContacts | null>(null)
  which = $state.raw<ContactScope>('chosen')
  problem = $state.raw<Problem | null>(null)

  constructor(
    backend: Backend,
    actions: Pick<ThreadActionsManager, 'make'>,
    editor: Pick<ContactEditor, 'catalog' | 'load'>,
    questions: Pick<QuestionManager, 'ask'>,
  ) {
    this.#backend = backend
    this.#actions = actions
    this.#editor = editor
    this.#questions = questions
  }

  setWhich(which: ContactScope): void {
    this.which = which
  }

  /** Names the affected contacts: `Ann Lee`, or `3 contacts`. */
  get manyName(): string {
    return this.which === 'matching'
      ? formatCount(this.many?.matching ?? 0, 'contact')
      : describeContacts(this.many?.contacts ?? [])
  }

  open(): void {
    void this.#load()
    this.isOpen = true
  }

  close(): void {
    this.isOpen = false
  }

  ask(asked: TopicDialogState | null): void {
    if (asked !== null) void this.#load()
    this.asked = asked
  }

  askForMany(many: ManyContacts): void {
    void this.#load()
    this.many = many
    this.which = many.contacts.length === 0 ? 'matching' : 'chosen'
  }

  closeMany(): void {
    this.many = null
  }

  /** Creates or edits the topic. Sends only differences, so that a colleague's other edits stay. */
  async save({ name, description, visibility, byDefault }: TopicInput): Promise<void> {
    const asked = this.asked
    if (asked === null) return
    this.asked = null
    const words = toVisibleText(name)
    if (asked.act === 'create') {
      await this.#change(
        () => this.#backend.call('topic.create', { name, description, byDefault, visibility: visibility ?? 'private' }),
        `Created the topic ${words}`,
      )
      return
    }
    const { topic } = asked
    const change = {
      ...(name !== topic.name && { name }),
      ...((description ?? '') !== (topic.description ?? '') && { description }),
      ...(visibility !== null && visibility !== topic.visibility && { visibility }),
    }
    if (Object.keys(change).length === 0) return
    await this.#change(
      () => this.#backend.call('topic.update', { topicId: topic.id, ...change }),
      `Changed the topic ${words}`,
    )
  }

  /** Deletes a topic after a confirmation. */
  askToRemove({ id, name }: Topic): void {
    void this.#load()
    const words = toVisibleText(name)
    const remove = () => this.#backend.call('topic.delete', { topicId: id })
    this.#questions.ask({
      title: `Delete topic “${words}”`,
      description:
        'Everyone’s subscription choices are deleted too. Undo recreates the topic with the choices stored on this computer.',
      action: 'Delete',
      isDestructive: true,
      answer: () => Promise.resolve(null),
      onDone: () => void this.#change(remove, `Deleted the topic ${words}`),
    })
  }

  async subscribe(topic: Topic, isSubscribed: boolean): Promise<void> {
    const many = this.many
    if (many === null) return
    const of = this.which === 'matching' ? { query: many.query } : { contactIds: many.contacts.map(({ id }) => id) }
    const subscription = isSubscribed ? 'opt_in' : 'opt_out'
    const name = toVisibleText(topic.name)
    const who = this.manyName
    await this.#actions.make(
      {
        of: 'topic',
        make: async () => {
          const result = await this.#backend.call('topic.setForMany', { topicId: topic.id, subscription, of })
          if (!result.ok) return result
          const { changeId, left } = result.data
          const note =
            left === 0
              ? {}
              : {
                  note: `Skipped ${formatCount(left, 'contact that isn’t saved yet', 'contacts that aren’t saved yet')}.`,
                }
          return { ok: true, data: { changeIds: [changeId], threads: null, ...note } }
        },
      },
      isSubscribed ? `Subscribing ${who} to ${name}` : `Unsubscribing ${who} from ${name}`,
    )
  }

  async #load(): Promise<void> {
    this.problem = await this.#editor.load()
  }

  #change(ask: () => Promise<Result<ChangeReceipt>>, said: string): Promise<boolean> {
    return this.#actions.make(undoableCall('topic', ask), said)
  }
}
