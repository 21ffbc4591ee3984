import { isNotFound } from '../../api/platform-problem.ts'
import { topicMade, withTopicChange, type FetchedAccountTopic } from '../../api/topics.ts'
import type { TopicChange, TopicAppearance } from '../../../shared/people.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import type { PendingAccountTopics } from '../../store/account-lists.ts'
import type { Change, Field, Subject, SubjectState, WaitingChange } from '../change.ts'
import type { Answer, ChangeType } from '../change-type.ts'
import { screenOptions, nullIfMissing, type ChangeParts } from './change-parts.ts'
import { createEntityRules, NONE } from './created-entity.ts'
import { topicField, contactSubject } from './topic-field.ts'

/** An account topic. Contacts can subscribe to it before the platform has given it an ID. */
const KIND = 'topic'
const EXISTENCE = 'topic'

// The default subscription can't be changed later (platform facts 5).
const { rules, textOf, parseAttributes } = createEntityRules(KIND, EXISTENCE, [
  'name',
  'description',
  'visibility',
  'byDefault',
])

const textOfLook = ({ name, description, visibility, byDefault }: TopicAppearance): string =>
  textOf({ name, description: description ?? '', visibility, byDefault })
const lookOf = (text: string): TopicAppearance => {
  const { name = '', description = '', visibility = '', byDefault = '' } = parseAttributes(text)
  return { name, description: description === '' ? null : description, visibility, byDefault }
}
const stateOf = (look: TopicAppearance | undefined): SubjectState =>
  look === undefined ? new Map() : new Map(Object.entries(parseAttributes(textOfLook(look))))

const changeOf = (fields: readonly Pick<WaitingChange, 'field' | 'wanted'>[]): TopicChange => {
  const wanted = new Map(fields.map((each) => [each.field, each.wanted]))
  const [name, description, visibility] = [wanted.get('name'), wanted.get('description'), wanted.get('visibility')]
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(visibility !== undefined && { visibility }),
  }
}

export const accountTopicSubject = (topicId: string): Subject => ({ kind: KIND, scope: '', id: topicId })
export const isAccountTopic = ({ kind }: Subject): boolean => kind === KIND

export const topicExistence = (topicId: string): Field => ({ ...accountTopicSubject(topicId), field: EXISTENCE })

const isMaking = ({ field, sending }: WaitingChange): boolean =>
  field === EXISTENCE && sending !== null && sending !== NONE

/** True while a topic's creation awaits its response. Until that arrives, the topic can't be identified in a list. */
export const isCreatingTopic = (waiting: readonly WaitingChange[]): boolean => waiting.some(isMaking)

type Parts = Pick<ChangeParts, 'platform' | 'cache' | 'hub'>

export const createAccountTopics = ({ platform, cache, hub }: Parts, now: () => number): ChangeType => {
  type Topics = readonly FetchedAccountTopic[]
  const lists = () => cache().accountLists
  const storing = (change: (topics: Topics) => Topics) => (): void => {
    lists().change('topics', change)
    hub.contacts()
  }
  const known = (topicId: string): FetchedAccountTopic | undefined =>
    lists()
      .get('topics')
      .items.find(({ id }) => id === topicId)

  const gone = (topicId: string): void => {
    cache().topics.removeTopic(topicId)
    storing((topics) => topics.filter(({ id }) => id !== topicId))()
  }

  const create = async (look: TopicAppearance, signal: AbortSignal): Promise<Answer> => {
    // If the response is lost, the earlier list helps to tell the new topic from an identical one that someone else
    // created.
    if (lists().get('topics').fetchedAt === null) {
      lists().replace('topics', await platform.listTopics(screenOptions(signal)), 0)
    }
    const id = await platform.createTopic(look, screenOptions(signal))
    return { store: storing((topics) => [topicMade(id, look, now()), ...topics]), id }
  }

  /** A missing topic counts as deleted. */
  const remove = async (topicId: string, signal: AbortSignal): Promise<Answer> => {
    try {
      await platform.deleteTopic(topicId, screenOptions(signal))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      if ((await platform.listTopics(screenOptions(signal))).some(({ id }) => id === topicId)) throw thrown
    }
    return { store: () => gone(topicId) }
  }

  return {
    ...rules,
    serverState: ({ id }) => stateOf(known(id)),
    deliver: async ({ id }, changes, signal) => {
      const existence = changes.find(({ field }) => field === EXISTENCE)
      if (existence !== undefined) {
        return existence.wanted === NONE ? remove(id, signal) : create(lookOf(existence.wanted), signal)
      }
      const change = changeOf(changes)
      await platform.updateTopic(id, change, screenOptions(signal))
      return {
        store: storing((topics) => topics.map((topic) => (topic.id === id ? withTopicChange(topic, change) : topic))),
      }
    },
    look: async ({ id }, changes, signal) => {
      const topics = await nullIfMissing(platform.listTopics(screenOptions(signal)))
      if (topics === null) return null
      const before = new Set(
        lists()
          .get('topics')
          .items.map((topic) => topic.id),
      )
      const made = changes.find(isMaking)
      const found = topics.find((topic) =>
        made === undefined ? topic.id === id : !before.has(topic.id) && textOfLook(topic) === made.sending,
      )
      const store = storing(() => topics)
      const state = stateOf(found)
      return found === undefined ? { state, store } : { state, store, id: found.id }
    },
    findMissing: async ({ id }, changes, signal) => {
      // A topic being created has no ID to look for.
      if (changes.some(({ field }) => field === EXISTENCE)) return 'change'
      const topics = await nullIfMissing(platform.listTopics(screenOptions(signal)))
      if (topics === null) return 'change'
      return topics.some((topic) => topic.id === id) ? 'nothing' : 'subject'
    },
    // The platform deletes all subscriptions with the topic. Undo restores those known here.
    cascades: ({ id, field, wanted }, upcoming) => {
      if (field !== EXISTENCE || wanted !== NONE) return undefined
      const byDefault = lists().topicDefaults().get(id)
      const choices = new Map(cache().topics.subscriptionsTo(id))
      for (const change of upcoming()) choices.set(change.id, change.wanted)
      return [...choices].flatMap(([contactId, before]) =>
        byDefault === undefined || before === byDefault || before === ''
          ? []
          : [{ ...contactSubject(contactId), field: topicField(id), before, after: byDefault }],
      )
    },
    show: (subjects) => {
      if (subjects.some(isAccountTopic)) hub.contacts()
    },
    describe: ({ id }, [wanted = NONE]) => {
      const name = wanted.startsWith('{') ? lookOf(wanted).name : known(id)?.name
      if (name === undefined) return 'change to a topic'
      return wanted.startsWith('{') ? `new topic “${visibleText(name)}”` : `change to the topic “${visibleText(name)}”`
    },
    describeMissing: ({ missing, problem }) => {
      if (missing === 'subject') return 'the platform no longer has this topic.'
      return problem.code === 'not_found' ? 'the platform does not support this kind of change.' : null
    },
    isGone: ({ id }) => gone(id),
  }
}

/** Contacts can subscribe to the topic's local ID at once. */
export const topicCreation = (topicId: string, look: TopicAppearance): Change => ({
  ...topicExistence(topicId),
  wanted: textOfLook(look),
})

export const topicChanges = (topicId: string, { name, description, visibility }: TopicChange): readonly Change[] => {
  const subject = accountTopicSubject(topicId)
  return [
    ...(name === undefined ? [] : [{ ...subject, field: 'name', wanted: name }]),
    ...(description === undefined ? [] : [{ ...subject, field: 'description', wanted: description ?? '' }]),
    ...(visibility === undefined ? [] : [{ ...subject, field: 'visibility', wanted: visibility }]),
  ]
}

export const topicDeletion = (topicId: string): Change => ({ ...topicExistence(topicId), wanted: NONE })

export const accountTopicOverlay = (waiting: readonly WaitingChange[]): PendingAccountTopics => {
  const existences = waiting.filter(({ field }) => field === EXISTENCE)
  const looks = Map.groupBy(
    waiting.filter(({ field }) => field !== EXISTENCE),
    ({ id }) => id,
  )
  const changes = new Map([...looks].map(([id, fields]) => [id, changeOf(fields)]))
  return {
    made: existences
      .flatMap(({ id, wanted }) =>
        wanted === NONE ? [] : [{ id, createdAt: null, ...lookOf(wanted), ...changes.get(id) }],
      )
      .toReversed(),
    deleted: new Set(existences.flatMap(({ id, wanted }) => (wanted === NONE ? [id] : []))),
    changes,
  }
}
