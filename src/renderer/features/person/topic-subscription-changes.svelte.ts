import type { TopicSubscription } from '../../../shared/people.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { OptimisticChange } from '../threads/pending-changes.svelte.ts'
import {
  type UndoableAction,
  type ThreadActionsManager,
  undoableCall,
} from '../threads/thread-actions-manager.svelte.ts'

/** Owner of topics: the contact's ID or address (`Person.contactId`), and the displayed name. */
export interface TopicOwner {
  readonly contactId: string
  readonly name: string
}

interface DrawnChoice {
  readonly contactId: string
  readonly topicId: string
  readonly subscription: string
}

type ReadTopics = (contactId: string) => Promise<void>

/** Undoable topic subscriptions. All views show a choice until the engine's result is loaded. */
export class TopicSubscriptionChanges {
  readonly #backend: Backend
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  #drawn = $state.raw<readonly DrawnChoice[]>([])
  #read: ReadTopics = () => Promise.resolve()

  constructor(backend: Backend, actions: Pick<ThreadActionsManager, 'make'>) {
    this.#backend = backend
    this.#actions = actions
  }

  onChoice(read: ReadTopics): void {
    this.#read = read
  }

  withPending(contactId: string, topics: readonly TopicSubscription[]): readonly TopicSubscription[] {
    const choices = this.#drawn.filter((choice) => choice.contactId === contactId)
    if (choices.length === 0) return topics
    return topics.map((topic) => {
      const choice = choices.findLast(({ topicId }) => topicId === topic.id)
      return choice === undefined ? topic : { ...topic, subscription: choice.subscription }
    })
  }

  /** Returns false on failure, after showing the problem. */
  choose({ contactId, name }: TopicOwner, topic: TopicSubscription, isSubscribed: boolean): Promise<boolean> {
    const subscription = isSubscribed ? 'opt_in' : 'opt_out'
    const undoable: UndoableAction = {
      ...undoableCall('topic', async () => {
        const result = await this.#backend.call('contact.setTopic', { contactId, topicId: topic.id, subscription })
        if (!result.ok) void this.#read(contactId)
        return result
      }),
      draw: (side) =>
        this.#draw({
          contactId,
          topicId: topic.id,
          subscription: side === 'done' ? subscription : topic.subscription,
        }),
    }
    return this.#actions.make(
      undoable,
      isSubscribed ? `Subscribed ${name} to ${topic.name}` : `Unsubscribed ${name} from ${topic.name}`,
    )
  }

  #draw(choice: DrawnChoice): OptimisticChange {
    this.#drawn = [...this.#drawn, choice]
    const drop = (): void => {
      this.#drawn = this.#drawn.filter((each) => each !== choice)
    }
    return { accept: () => void this.#read(choice.contactId).then(drop), revert: drop }
  }
}
