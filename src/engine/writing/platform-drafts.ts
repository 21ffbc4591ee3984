import { z } from 'zod'
import type { LinnetEvent } from '../../shared/contract.ts'
import type { DraftContent, DraftSummary } from '../../shared/writing.ts'
import type { FetchedDraft, ListedDraft } from '../api/drafts.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { Contents } from '../contents/contents.ts'
import { contentOfPlatform } from './platform-content.ts'
import type { Service } from '../service.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** The drafts that the platform has: of colleagues, of its agent, and those of this computer as they are there. */
export interface PlatformDrafts extends Required<Service> {
  /** As they were last read. */
  readonly of: (inboxId: string) => readonly ListedDraft[]
  readonly find: (draftId: string) => { readonly inboxId: string; readonly draft: ListedDraft } | null
  /** Reads an inbox's drafts, unless that was done a moment ago. Failures are told by sync, and change nothing. */
  readonly refresh: (inboxId: string) => void
  /** Where threads of an inbox have changed, others of them may have drafts. */
  readonly onEvent: (event: LinnetEvent) => void
  /** The text of one, fetched where it is not here. */
  readonly open: (inboxId: string, draftId: string) => Promise<SeenThere & { readonly draft: FetchedDraft }>
  /** One was sent or deleted: it is not listed any more, neither by what was asked for before that. */
  readonly drop: (draftId: string) => void
  /** Reads what was kept, and from then on each inbox's drafts now and then. */
  readonly start: () => void
}

interface SeenThere {
  readonly updatedAt: number | null
  readonly content: DraftContent
}

/** No sooner than this is an inbox's list read again where a window asks for it. */
const FRESH_MS = 5_000
/** So often where its threads change. */
const AFTER_CHANGES_MS = 60_000
/** So often where none does. */
const EVERY_MS = 4 * 60_000
/** More drafts than any inbox has. */
const MOST_PAGES = 10

const keptList = z.array(
  z.object({
    id: z.string(),
    to: z.array(z.string()),
    subject: z.string().nullable(),
    snippet: z.string().nullable(),
    threadId: z.string().nullable(),
    replyToEmailId: z.string().nullable(),
    updatedAt: z.number().nullable(),
    files: z.number(),
  }),
)
const keyOf = (inboxId: string): string => `drafts ${inboxId}`

const NOTHING: FetchedDraft = {
  ...{ id: '', to: null, cc: [], bcc: [], subject: null, html: null, text: null },
  ...{ threadId: null, replyToEmailId: null, emailId: null, updatedAt: null, files: [] },
}

/** One of the platform's in a list. */
export const summaryOfPlatform = (inboxId: string, draft: ListedDraft): DraftSummary => ({
  id: draft.id,
  inboxId,
  kind: draft.replyToEmailId === null ? 'new' : 'reply',
  target:
    draft.threadId === null || draft.replyToEmailId === null
      ? null
      : { threadId: draft.threadId, emailId: draft.replyToEmailId },
  to: contentOfPlatform({ ...NOTHING, to: draft.to }).to,
  subject: draft.subject ?? '',
  snippet: draft.snippet ?? '',
  state: { kind: 'open' },
  updatedAt: draft.updatedAt ?? 0,
  files: draft.files,
  isOurs: false,
  isSynced: true,
  hasConflict: false,
  notKept: null,
})

/**
 * @param listed is told of an inbox's drafts whenever they were read whole
 * @param changed is told where they are others than before
 */
export const createPlatformDrafts = ({
  platform,
  contents,
  inboxIds,
  listed,
  changed,
  report,
  clock,
  signal,
}: {
  readonly platform: Pick<MailPlatform, 'listDrafts' | 'getDraft'>
  readonly contents: Pick<Contents, 'get' | 'put'>
  readonly inboxIds: () => readonly string[]
  readonly listed: (inboxId: string, drafts: readonly ListedDraft[]) => void
  readonly changed: (inboxIds: readonly string[]) => void
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}): PlatformDrafts => {
  const lists = new Map<string, readonly ListedDraft[]>()
  const readAt = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()
  const opened = new Map<string, FetchedDraft>()
  /** What was sent or deleted since the start: a list may have been on its way by then. */
  const gone = new Set<string>()

  const readAll = async (inboxId: string): Promise<readonly ListedDraft[] | null> => {
    const all = new Map<string, ListedDraft>()
    let after: string | undefined
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { items, hasMore, isWhole } = await platform.listDrafts(inboxId, { priority: 'sync', signal, after })
      for (const item of items) all.set(item.id, item)
      if (!isWhole) return null
      const last = items.at(-1)?.id
      if (!hasMore || last === undefined || last === after) return [...all.values()]
      after = last
    }
    return null
  }
  /** Seen later offline as well; where the disk is full it is seen now all the same. */
  const keep = async (inboxId: string, drafts: readonly ListedDraft[]): Promise<void> => {
    const bytes = new TextEncoder().encode(JSON.stringify(drafts))
    await contents.put(keyOf(inboxId), bytes, { contentType: 'application/json' }).catch((thrown: unknown) => {
      if (!signal.aborted) report(thrown)
    })
  }
  const read = async (inboxId: string): Promise<void> => {
    try {
      const all = await readAll(inboxId)
      if (all === null || signal.aborted) return
      const drafts = all.filter(({ id }) => !gone.has(id))
      const isAsBefore = JSON.stringify(drafts) === JSON.stringify(lists.get(inboxId) ?? [])
      if (!isAsBefore) {
        await keep(inboxId, drafts)
        signal.throwIfAborted()
      }
      // One may have gone while that was written.
      const left = drafts.filter(({ id }) => !gone.has(id))
      lists.set(inboxId, left)
      listed(inboxId, left)
      if (!isAsBefore) changed([inboxId])
    } catch (thrown) {
      if (signal.aborted) return
      // A platform without drafts has none.
      if (lacksOperation(thrown)) return
      if (!(thrown instanceof Error && 'problem' in thrown)) report(thrown)
    }
  }
  const refresh = (inboxId: string, age: number): void => {
    const now = clock.elapsed()
    if (signal.aborted || underWay.has(inboxId) || now - (readAt.get(inboxId) ?? -Infinity) < age) return
    readAt.set(inboxId, now)
    underWay.set(
      inboxId,
      read(inboxId).finally(() => underWay.delete(inboxId)),
    )
  }
  /** Inboxes of which a window has asked again so soon that it is answered a little later. */
  const later = new Map<string, () => void>()
  signal.addEventListener('abort', () => {
    for (const cancel of later.values()) cancel()
  })
  const readKept = async (): Promise<void> => {
    for (const inboxId of inboxIds()) {
      const kept = await contents.get(keyOf(inboxId))
      if (kept === null || lists.has(inboxId)) continue
      try {
        lists.set(inboxId, keptList.parse(JSON.parse(new TextDecoder().decode(kept.bytes))))
        changed([inboxId])
      } catch (thrown) {
        report(thrown)
      }
    }
  }
  let begun: Promise<void> = Promise.resolve()
  const reading = new Loop(clock, { unref: true })

  return {
    of: (inboxId) => lists.get(inboxId) ?? [],
    find: (draftId) => {
      for (const [inboxId, drafts] of lists) {
        const draft = drafts.find(({ id }) => id === draftId)
        if (draft !== undefined) return { inboxId, draft }
      }
      return null
    },
    refresh: (inboxId) => {
      if (later.has(inboxId)) return
      const wait = (readAt.get(inboxId) ?? -Infinity) + FRESH_MS - clock.elapsed()
      if (wait <= 0) return refresh(inboxId, FRESH_MS)
      const ask = (): void => {
        later.delete(inboxId)
        refresh(inboxId, 0)
      }
      later.set(inboxId, clock.after(wait, ask, { unref: true }))
    },
    onEvent: ({ name, payload }) => {
      if (name === 'threads.changed' && readAt.has(payload.inboxId)) refresh(payload.inboxId, AFTER_CHANGES_MS)
    },
    open: async (inboxId, draftId) => {
      const known = opened.get(draftId)
      const listedAt = lists.get(inboxId)?.find(({ id }) => id === draftId)?.updatedAt
      const isFresh = known !== undefined && known.updatedAt !== null && known.updatedAt === listedAt
      const draft = isFresh ? known : await platform.getDraft(inboxId, draftId, { priority: 'action', signal })
      opened.set(draftId, draft)
      return { draft, updatedAt: draft.updatedAt, content: contentOfPlatform(draft) }
    },
    drop: (draftId) => {
      gone.add(draftId)
      for (const [inboxId, drafts] of lists) {
        const left = drafts.filter(({ id }) => id !== draftId)
        if (left.length === drafts.length) continue
        lists.set(inboxId, left)
        void keep(inboxId, left)
      }
    },
    start: () => {
      begun = readKept().catch((thrown: unknown) => {
        if (!signal.aborted) report(thrown)
      })
      reading.start({
        firstIn: EVERY_MS,
        step: () => {
          // Only lists that a window has asked for.
          for (const inboxId of readAt.keys()) refresh(inboxId, EVERY_MS - 1_000)
          return EVERY_MS
        },
        failed: (thrown) => {
          report(thrown)
          return EVERY_MS
        },
        signal,
      })
    },
    ended: async () => {
      await Promise.all([begun, reading.ended()])
      await Promise.all(underWay.values())
    },
  }
}
