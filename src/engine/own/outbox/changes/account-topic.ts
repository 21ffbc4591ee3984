import { catchMissing } from '../../../platform/platform-problem.ts'
import { createLocalTopic, withTopicChange, type FetchedAccountTopic } from '../../../platform/resources/topics.ts'
import type { TopicChange, TopicSettings } from '../../../../shared/people.ts'
import { toVisibleText } from '../../../../shared/visible-text.ts'
import type { PendingAccountTopics } from '../../../store/account-lists.ts'
import type { Change, SubjectField, ChangeSubject, SubjectState, WaitingChange } from '../change.ts'
import { describeMissing, type ChangeResponse, type ChangeType } from '../change-type.ts'
import { deleted, screenOptions, type ChangeDependencies } from './change-dependencies.ts'
import {
  buildEntityOverlay,
  createEntityRules,
  fieldsOf,
  isCreating,
  NOT_EXISTING,
  parseAttributes,
  toDeletion,
  type Attributes,
} from './created-entity.ts'
import { toTopicField, contactSubject } from './contact-fields.ts'

/** An account topic. Contacts can subscribe to it before the platform has given it an ID. */
const KIND = 'topic'
const EXISTENCE = 'topic'

// The default subscription can't be changed later (platform.md 19.1).
const { rules, textOf } = createEntityRules({ kind: KIND, existence: EXISTENCE, key: 'name' })

const serializeAppearance = ({ name, description, visibility, byDefault }: TopicSettings): string =>
  textOf({ name, description: description ?? '', visibility, byDefault })
const parseAppearance = (text: string): TopicSettings => {
  const { name = '', description = '', visibility = '', byDefault = '' } = parseAttributes(text)
  return { name, description: description === '' ? null : description, visibility, byDefault }
}
const stateOf = (look: TopicSettings | undefined): SubjectState =>
  look === undefined ? new Map() : new Map(Object.entries(parseAttributes(serializeAppearance(look))))

const parseChange = ({ name, description, visibility }: Attributes): TopicChange => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description: description === '' ? null : description }),
  ...(visibility !== undefined && { visibility }),
})

export const accountTopicSubject = (topicId: string): ChangeSubject => ({ kind: KIND, scope: '', id: topicId })

export const toTopicExistenceField = (topicId: string): SubjectField => ({
  ...accountTopicSubject(topicId),
  field: EXISTENCE,
})

/** True while a topic's creation awaits its response. Until that arrives, the topic can't be identified in a list. */
export const isCreatingTopic = (waiting: readonly WaitingChange[]): boolean => waiting.some(isCreating(EXISTENCE))

type Parts = Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>

export const createAccountTopicChangeType = ({ platform, cache, hub }: Parts, now: () => number): ChangeType => {
  type Topics = readonly FetchedAccountTopic[]
  const { accountLists: lists } = cache
  const storing = (change: (topics: Topics) => Topics) => (): void => {
    lists.change('topics', change)
    hub.contacts()
  }
  const known = (topicId: string): FetchedAccountTopic | undefined =>
    lists.get('topics').items.find(({ id }) => id === topicId)

  const gone = (topicId: string): void => {
    cache.topics.removeTopic(topicId)
    storing((topics) => topics.filter(({ id }) => id !== topicId))()
  }

  const create = async (look: TopicSettings, signal: AbortSignal): Promise<ChangeResponse> => {
    // If the response is lost, the earlier list helps to tell the new topic from an identical one that someone else
    // created.
    if (lists.get('topics').fetchedAt === null) {
      lists.replace('topics', await platform.listTopics(screenOptions(signal)), 0)
    }
    const id = await platform.createTopic(look, screenOptions(signal))
    return { store: storing((topics) => [createLocalTopic(id, look, now()), ...topics]), id }
  }

  const remove = async (topicId: string, signal: AbortSignal): Promise<ChangeResponse> => {
    await deleted(platform.deleteTopic(topicId, screenOptions(signal)), async () =>
      (await platform.listTopics(screenOptions(signal))).some(({ id }) => id === topicId),
    )
    return { store: () => gone(topicId) }
  }

  return {
    ...rules,
    serverState: ({ id }) => stateOf(known(id)),
    deliver: async ({ id }, changes, signal) => {
      const existence = changes.find(({ field }) => field === EXISTENCE)
      if (existence !== undefined) {
        return existence.wanted === NOT_EXISTING
          ? remove(id, signal)
          : create(parseAppearance(existence.wanted), signal)
      }
      const change = parseChange(fieldsOf(changes))
      await platform.updateTopic(id, change, screenOptions(signal))
      return {
        store: storing((topics) => topics.map((topic) => (topic.id === id ? withTopicChange(topic, change) : topic))),
      }
    },
    look: async ({ id }, changes, signal) => {
      const topics = await catchMissing(platform.listTopics(screenOptions(signal)))
      if (topics === null) return null
      const before = new Set(lists.get('topics').items.map((topic) => topic.id))
      const made = changes.find(isCreating(EXISTENCE))
      const found = topics.find((topic) =>
        made === undefined ? topic.id === id : !before.has(topic.id) && serializeAppearance(topic) === made.sending,
      )
      const store = storing(() => topics)
      const state = stateOf(found)
      return found === undefined ? { state, store } : { state, store, id: found.id }
    },
    findMissing: async ({ id }, changes, signal) => {
      // A topic being created has no ID to look for.
      if (changes.some(({ field }) => field === EXISTENCE)) return 'change'
      const topics = await catchMissing(platform.listTopics(screenOptions(signal)))
      if (topics === null) return 'change'
      return topics.some((topic) => topic.id === id) ? 'nothing' : 'subject'
    },
    // The platform deletes all subscriptions with the topic. Undo restores those known here.
    cascades: ({ id, field, wanted }, dependents) => {
      if (field !== EXISTENCE || wanted !== NOT_EXISTING) return undefined
      const byDefault = lists.topicDefaults().get(id)
      const choices = new Map(cache.topics.subscriptionsTo(id))
      for (const change of dependents) choices.set(change.id, change.wanted)
      return [...choices].flatMap(([contactId, before]) =>
        byDefault === undefined || before === byDefault || before === ''
          ? []
          : [{ ...contactSubject(contactId), field: toTopicField(id), before, after: byDefault }],
      )
    },
    show: () => hub.contacts(),
    describe: ({ id }, [wanted = NOT_EXISTING]) => {
      const name = wanted.startsWith('{') ? parseAppearance(wanted).name : known(id)?.name
      if (name === undefined) return 'change to a topic'
      return wanted.startsWith('{')
        ? `new topic “${toVisibleText(name)}”`
        : `change to the topic “${toVisibleText(name)}”`
    },
    describeMissing: describeMissing('the platform no longer has this topic.'),
    isGone: ({ id }) => gone(id),
  }
}

/** Contacts can subscribe to the topic's local ID at once. */
export const buildAccountTopicCreation = (topicId: string, look: TopicSettings): Change => ({
  ...toTopicExistenceField(topicId),
  wanted: serializeAppearance(look),
})

export const buildAccountTopicChanges = (
  topicId: string,
  change: { readonly [Name in keyof TopicChange]?: TopicChange[Name] | undefined },
): readonly Change[] =>
  Object.entries(change).flatMap(([field, wanted]) =>
    wanted === undefined ? [] : [{ ...accountTopicSubject(topicId), field, wanted: wanted ?? '' }],
  )

export const buildAccountTopicDeletion = (topicId: string): Change => toDeletion(toTopicExistenceField(topicId))

export const buildAccountTopicOverlay = (waiting: readonly WaitingChange[]): PendingAccountTopics => {
  const { made, ...overlay } = buildEntityOverlay<TopicSettings>(waiting, EXISTENCE, parseAppearance, parseChange)
  return { ...overlay, made: made.map((topic) => ({ ...topic, createdAt: null })).toReversed() }
}
