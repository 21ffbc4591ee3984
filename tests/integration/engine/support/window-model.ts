import { isDeepStrictEqual } from 'node:util'
import { FOLDERS, type Label } from '../../../../src/shared/model.ts'
import {
  createFolderQuery,
  toCachedList,
  createLabelQuery,
  NO_FILTER,
  createLocalOnlyQuery,
  threadQueryKey,
  type ThreadFilter,
  type ThreadQuery,
} from '../../../../src/shared/thread-query.ts'
import type { EventName } from '../../../../src/shared/contract.ts'
import { word } from './searches.ts'
import type { TestEngine } from './test-engine.ts'
import { eventually } from './eventually.ts'

/** Something that a window shows: how to read it, and which events invalidate it. */
interface Shown {
  readonly name: string
  readonly read: () => Promise<unknown>
  readonly isNamedBy: (event: MirroredEvent, held: unknown) => boolean
  /** Shown only while this label exists. */
  readonly labelId?: string
}

const MIRRORED = [
  'inboxes.changed',
  'labels.changed',
  'threads.changed',
  'emails.changed',
  'changes.progressed',
  'contacts.changed',
  'topics.changed',
  'receivedEmails.changed',
  'sentEmails.changed',
  'sync.changed',
  'problems.changed',
] as const
type MirroredEvent = {
  readonly [Name in (typeof MIRRORED)[number]]: {
    readonly name: Name
    readonly payload: ReturnType<typeof eventsOf<Name>>[number]
  }
}[(typeof MIRRORED)[number]]
const eventsOf = <Name extends EventName>(engine: TestEngine, name: Name) => engine.events(name)

/**
 * Simulates a window's state: lists with counts, inboxes, labels with a list each, open conversations, the person in
 * the contact panel, progress of large changes, the outbox, and standing problems. Like a window, it reads each once,
 * and again only after an event names it.
 */
export interface WindowModel {
  readonly open: (threadId: string) => Promise<void>
  /**
   * Waits until the state equals a fresh read of everything.
   * @throws with the first difference that no event announced
   */
  readonly rest: () => Promise<void>
}

/** The person shown in the contact panel. */
export const MIRRORED_PERSON = 'ada@example.com'

/** Page sizes of a search and of a list that continues beyond its page. */
const PAGE = 200
const SHORT_PAGE = 12

/** Searches shown in addition to the folders: by words, by state, and by both. */
export const MIRRORED_SEARCHES: readonly ThreadFilter[] = [
  { ...NO_FILTER, text: [word('news')] },
  { ...NO_FILTER, read: false, folders: ['inbox', 'archive'] },
  { ...NO_FILTER, text: [word('news')], folders: ['archive', 'trash'], read: true },
  { ...NO_FILTER, text: [word('news')], dropped: true },
]

export const openWindowModel = async (
  engine: TestEngine,
  inboxId: string,
  labelIds: readonly string[],
): Promise<WindowModel> => {
  const list = (query: ThreadQuery, limit = PAGE): Shown => ({
    name: threadQueryKey(query),
    read: async () => {
      const { items, total, hasMore, searched } = await engine.call('thread.list', { query, offset: 0, limit })
      return { items, total, hasMore, asked: searched?.platform.state ?? null }
    },
    isNamedBy: (event, held) => {
      if (event.name !== 'threads.changed' && event.name !== 'emails.changed') return false
      const { items } = held as { readonly items: readonly { readonly id: string }[] }
      if (items.some(({ id }) => event.payload.threadIds.includes(id))) return true
      if (event.name !== 'threads.changed') return false
      const { folders, labelIds, localOnly = false, searches } = event.payload
      const kept = toCachedList(query)
      if (kept === null) return searches?.includes(threadQueryKey(query)) !== false
      if ('isLocalOnly' in kept) return localOnly
      return 'folder' in kept ? folders.includes(kept.folder) : labelIds.includes(kept.labelId)
    },
  })
  const conversation = (threadId: string): Shown => ({
    name: `conversation ${threadId}`,
    read: async () => {
      const opened = await engine.call('thread.open', { inboxId, threadId }).catch((thrown: unknown) => {
        // The thread was deleted for good, because no other copy existed.
        if (!String(thrown).includes('deleted from this computer')) throw thrown
        return null
      })
      return opened === null ? null : { thread: opened.thread, emails: opened.emails }
    },
    isNamedBy: (event) =>
      event.name === 'labels.changed' ||
      ((event.name === 'threads.changed' || event.name === 'emails.changed') &&
        event.payload.threadIds.includes(threadId)),
  })
  const shown: Shown[] = [
    {
      name: 'inboxes',
      read: async () => (await engine.call('inbox.list', {})).inboxes,
      isNamedBy: ({ name }) => name === 'inboxes.changed',
    },
    {
      name: 'labels',
      read: () => engine.call('label.list', { inboxId }),
      isNamedBy: ({ name }) => name === 'labels.changed',
    },
    {
      name: 'large changes',
      read: () => engine.call('change.underWay', {}),
      isNamedBy: ({ name }) => name === 'changes.progressed',
    },
    {
      name: 'person',
      read: async () => {
        const person = await engine.call('person.get', { address: MIRRORED_PERSON })
        const { contact, contactId, topics, segments, threads, sent } = person
        const { isAll: _isAll, ...mail } = person.mail
        return { contact, contactId, topics: topics?.topics, segments: segments?.segments, threads, sent, mail }
      },
      isNamedBy: (event) =>
        [
          'contacts.changed',
          'topics.changed',
          'threads.changed',
          'emails.changed',
          'receivedEmails.changed',
          'sentEmails.changed',
        ].includes(event.name),
    },
    { name: 'status', read: () => engine.call('sync.status', {}), isNamedBy: ({ name }) => name === 'sync.changed' },
    {
      name: 'problems',
      read: () => engine.call('problem.list', {}),
      isNamedBy: ({ name }) => name === 'problems.changed',
    },
    ...FOLDERS.map((folder) => list(createFolderQuery(inboxId, folder), SHORT_PAGE)),
    list(createLocalOnlyQuery(inboxId), SHORT_PAGE),
    list({ ...createFolderQuery(inboxId, 'inbox'), dropped: false }, SHORT_PAGE),
    list({ ...createFolderQuery(inboxId, 'sent'), dropped: false }, SHORT_PAGE),
    ...MIRRORED_SEARCHES.map((filter) => list({ ...filter, inboxIds: [inboxId] })),
    ...labelIds
      .slice(0, 1)
      .map((labelId) => list({ ...NO_FILTER, inboxIds: [inboxId], labelIds: [labelId], read: false })),
  ]
  const held = new Map<string, unknown>()
  const heard = new Map<string, number>(MIRRORED.map((name) => [name, eventsOf(engine, name).length]))
  /** Labels that were removed according to events. */
  const gone = new Set<string>()
  /** Adds lists for new labels and drops those of removed labels. */
  const showLabels = async (): Promise<void> => {
    const lists = (held.get('labels') as readonly Label[]).map(({ id }) => ({
      labelId: id,
      thing: list(createLabelQuery(inboxId, id), SHORT_PAGE),
    }))
    const names = new Set(lists.map(({ thing }) => thing.name))
    for (const thing of shown.filter(({ name, labelId }) => labelId !== undefined && !names.has(name))) {
      shown.splice(shown.indexOf(thing), 1)
      held.delete(thing.name)
      gone.add(thing.labelId ?? '')
    }
    for (const { labelId, thing } of lists) {
      if (held.has(thing.name)) continue
      held.set(thing.name, await thing.read())
      shown.push({ ...thing, labelId })
    }
  }
  for (const thing of shown) held.set(thing.name, await thing.read())
  await showLabels()

  const catchUp = async (): Promise<void> => {
    for (const name of MIRRORED) {
      const payloads = eventsOf(engine, name)
      const fresh = payloads.slice(heard.get(name))
      heard.set(name, payloads.length)
      for (const payload of fresh) {
        const event = { name, payload } as MirroredEvent
        for (const thing of [...shown]) {
          if (thing.isNamedBy(event, held.get(thing.name))) held.set(thing.name, await thing.read())
        }
        if (event.name !== 'labels.changed') continue
        await showLabels()
        for (const { was } of event.payload.replaced) gone.delete(was)
      }
    }
  }

  /** The first difference from the cache, with both values. */
  const difference = async (): Promise<unknown> => {
    for (const labelId of gone) {
      // If the engine still resolves the ID, the label has a new one, and events should have reported it.
      const today = await engine.call('label.usage', { inboxId, labelId }).catch(() => null)
      if (today !== null) return { name: 'a replaced label', held: labelId, fresh: today }
      gone.delete(labelId)
    }
    for (const thing of shown) {
      const fresh = await thing.read()
      if (!isDeepStrictEqual(held.get(thing.name), fresh))
        return { name: thing.name, held: held.get(thing.name), fresh }
    }
    return null
  }

  return {
    open: async (threadId) => {
      const thing = conversation(threadId)
      if (held.has(thing.name)) return
      held.set(thing.name, await thing.read())
      shown.push(thing)
    },
    rest: async () => {
      await eventually(
        async () => {
          await catchUp()
          return difference()
        },
        (found) => found === null,
      )
    },
  }
}
