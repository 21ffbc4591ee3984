import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { ProblemError } from '../../shared/result.ts'
import type { DraftContent } from '../../shared/writing.ts'
import type { FetchedDraft, ListedDraft } from '../api/drafts.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions } from '../api/requests.ts'
import type { OutgoingFile } from '../api/outgoing-body.ts'
import { isNotFound } from '../api/platform-problem.ts'
import { backOff } from '../timing/back-off.ts'
import { assembleMessage } from './assemble-message.ts'
import type { DraftFiles } from './draft-files.ts'
import { canChange, isOnPlatform, type KeptDraft, type SeenThere } from './kept-draft.ts'
import { answeredBy, holderOf, isAnswerTaken } from './one-answer.ts'
import { contentOfPlatform, haveSameFiles, sayingOf, wordsOf } from './platform-content.ts'
import { removeThere } from './remove-there.ts'
import { CannotBeKept, refusalOfDraft } from './sending-refusal.ts'
import { isEmpty } from './waiting-drafts.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/**
 * Brings drafts to the platform, one request at a time. What is still to be told there is what the draft's own file says:
 * a revision that the platform does not have, a draft that was thrown away, a request whose answer did not come.
 */
export interface DraftSync {
  /** A draft is another than before: the platform is told after a pause. */
  readonly changed: (id: string) => void
  /** An inbox's drafts, as the platform has listed them: those of this computer that are others there are looked at. */
  readonly compare: (inboxId: string, listed: readonly Pick<ListedDraft, 'id' | 'updatedAt'>[]) => void
  /**
   * Resolves when no request about a draft is under way, and it is known what the platform has of it; no change of it begins
   * while it is on its way to be sent. @throws what the platform throws where that cannot be found out now
   */
  readonly quiet: (id: string) => Promise<void>
  readonly start: () => void
  /** Tries again now: the platform can be reached. */
  readonly nudge: () => void
  /** Resolves when nothing is under way, after the signal. */
  readonly ended: () => Promise<void>
}

/** Between two keystrokes of somebody who goes on; the composer saves at each pause. */
const PAUSE_MS = 700
/** The platform knows a key for a day (platform facts 1). */
const KEY_LASTS_MS = 23 * 60 * 60_000

export const createDraftSync = ({
  files,
  platform,
  removed,
  clock,
  signal,
  report,
}: {
  readonly files: DraftFiles
  readonly platform: Pick<MailPlatform, 'createDraft' | 'updateDraft' | 'getDraft' | 'deleteDraft'>
  /** Is told of a draft that the platform does not have any more. */
  readonly removed: (platformId: string) => void
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}): DraftSync => {
  const options: CallOptions = { priority: 'screen', signal }
  /** When it is the turn of each draft that has one, by `clock.elapsed`. */
  const dueAt = new Map<string, number>()
  const turns = new Loop(clock, { unref: true })
  /** Drafts that are to be looked at there. */
  const toLookAt = new Set<string>()
  /** How often in a row a draft's turn has failed. */
  const failures = new Map<string, number>()
  /** Revisions that the platform does not take: nothing is sent of them until they are others. */
  const refused = new Map<string, number>()
  let current: { readonly id: string; readonly work: Promise<void> } | null = null

  const outgoingOf = (content: DraftContent) => ({
    ...assembleMessage(content),
    to: content.to,
    cc: content.cc,
    bcc: content.bcc,
  })
  /** @throws CannotBeKept where the bytes of one are not on this computer: the platform gives none of a draft's files out */
  const outgoingFiles = (content: DraftContent): readonly OutgoingFile[] =>
    content.files.map(({ filename, contentType, contentId, size, digest }) => {
      if (digest === null) throw new CannotBeKept(filename)
      return {
        ...{ filename, contentType, contentId, size },
        read: () => createReadStream(files.filePath(digest)),
      }
    })

  const seenOf = (there: FetchedDraft, known: DraftContent): SeenThere => ({
    updatedAt: there.updatedAt,
    content: contentOfPlatform(there, known.files),
  })
  /** What the platform has; null where that is gone, or was sent. */
  const fetchThere = async (inboxId: string, id: string): Promise<FetchedDraft | null> => {
    try {
      const there = await platform.getDraft(inboxId, id, options)
      return there.emailId === null ? there : null
    } catch (thrown) {
      if (isNotFound(thrown)) return null
      throw thrown
    }
  }
  const removeFromPlatform = async (there: { readonly inboxId: string; readonly id: string }): Promise<void> => {
    await removeThere(platform, there, options)
    removed(there.id)
  }
  /** Writes what was learned about a draft, over what it is by now; one that is gone stays so. */
  const learn = (id: string, learned: Partial<KeptDraft>): KeptDraft | undefined => {
    const draft = files.get(id)
    if (draft === undefined) return undefined
    const next = { ...draft, ...learned }
    files.put(next)
    return next
  }

  /** The platform has a draft that says something else than the one here: the person decides. */
  const conflicts = (id: string, platformId: string, inboxId: string, seen: SeenThere, known: SeenThere): void =>
    void learn(id, { request: null, platform: { id: platformId, inboxId, revision: null, seen: known }, theirs: seen })

  /** Nothing of it is there any more: a draft that was there as it is here was thrown away or sent by somebody. */
  const isGoneThere = (id: string): void => {
    const draft = files.get(id)
    if (draft === undefined) return
    const wasWhole = isOnPlatform(draft) && draft.request === null && canChange(draft)
    learn(id, { platform: null, request: null, ...(wasWhole && { discardedAt: clock.now() }) })
  }

  const create = async (draft: KeptDraft): Promise<void> => {
    const { request } = draft
    if (request === null) return
    const { key, inboxId, content, revision } = request
    const attached = outgoingFiles(content)
    const answers = answeredBy(draft)
    const withKey = { ...options, idempotencyKey: key }
    let made: string
    try {
      made = await platform.createDraft(inboxId, outgoingOf(content), answers, attached, withKey)
    } catch (thrown) {
      if (answers === null || !isNotFound(thrown)) throw thrown
      // What it answers is not in this inbox, or not any more.
      learn(draft.id, { request: null, standsAlone: true })
      return
    }
    const there = await fetchThere(inboxId, made)
    if (there === null) {
      learn(draft.id, { request: null })
      return
    }
    const seen = seenOf(there, content)
    if (wordsOf(seen.content) === wordsOf(content) && holderOf(files.all(), made, draft.id) === undefined) {
      learn(draft.id, { request: null, platform: { id: made, inboxId, revision, seen } })
      return
    }
    // Of an answer the platform gives the draft that is there already, whoever began it (platform facts 3.7).
    const now = files.get(draft.id)
    const isLeaving = now !== undefined && !canChange(now)
    // A person decides between two drafts, and not about a message that is on its way: that one leaves the other alone.
    if (isLeaving || holderOf(files.all(), made, draft.id) !== undefined) {
      learn(draft.id, { request: null, standsAlone: true })
    } else conflicts(draft.id, made, inboxId, seen, seen)
  }

  const update = async (draft: KeptDraft): Promise<void> => {
    const { id, platform: known, request, content, revision } = draft
    if (known === null) return
    const there = await fetchThere(known.inboxId, known.id)
    if (there === null) {
      isGoneThere(id)
      return
    }
    const seen = seenOf(there, { ...content, files: [...content.files, ...known.seen.content.files] })
    const isAsSeen = seen.updatedAt !== null && seen.updatedAt === known.seen.updatedAt
    if (!isAsSeen && sayingOf(seen.content) !== sayingOf(known.seen.content)) {
      // The answer to what was sent last may have been lost: then it is no one else's doing.
      if (request === null || wordsOf(seen.content) !== wordsOf(request.content)) {
        conflicts(id, known.id, known.inboxId, seen, known.seen)
        return
      }
      learn(id, { request: null, platform: { ...known, revision: request.revision, seen } })
      return
    }
    const now = files.get(id)
    if (now?.revision !== revision || isOnPlatform(now) || !canChange(now)) {
      learn(id, { request: null, platform: { ...known, seen } })
      return
    }
    const areSameFiles = haveSameFiles(content, known.seen.content)
    const attached = areSameFiles ? null : outgoingFiles(content)
    learn(id, { request: { key: randomUUID(), inboxId: known.inboxId, content, revision, at: clock.now() } })
    await platform.updateDraft(known.inboxId, known.id, outgoingOf(content), attached, options)
    const after = await fetchThere(known.inboxId, known.id)
    if (after === null) isGoneThere(id)
    else learn(id, { request: null, platform: { ...known, revision, seen: seenOf(after, content) } })
  }

  /** A key that the platform may not know any more would make another draft all the same. */
  const createOrForget = async (draft: KeptDraft): Promise<void> => {
    if (draft.request !== null && clock.now() - draft.request.at > KEY_LASTS_MS) learn(draft.id, { request: null })
    else await create(draft)
  }

  /** One step of what is left to do of a draft. @returns whether there was one */
  const step = async (id: string): Promise<boolean> => {
    const draft = files.get(id)
    if (draft === undefined) return false
    const { platform: known, request, discardedAt } = draft
    const isLeaving = !canChange(draft) && discardedAt === null
    // What a message on its way needs to know of it is asked before it leaves (`quiet`).
    if (request !== null && known === null && !isLeaving) {
      await createOrForget(draft)
      return true
    }
    if (discardedAt !== null) {
      if (known !== null) {
        // What it stands beside is somebody else's.
        if (draft.theirs === null) await removeFromPlatform(known)
        learn(id, { platform: null, request: null, theirs: null })
      }
      // Nobody can take back what was sent.
      if (!canChange(draft)) files.remove(id)
      return false
    }
    if (!canChange(draft) || draft.theirs !== null || refused.get(id) === draft.revision) return false
    if (known !== null && known.inboxId !== draft.inboxId) {
      await removeFromPlatform(known)
      learn(id, { platform: null, request: null, standsAlone: false })
      return true
    }
    if (known === null) {
      if (draft.isUntouched === true || isEmpty(draft.content)) return false
      const { inboxId, content, revision } = draft
      // What cannot be sent whole is not sent at all.
      outgoingFiles(content)
      // On the disk before it is asked for: a lost answer is asked for again under the same key, and makes no second draft.
      learn(id, {
        request: { key: `draft-${randomUUID()}`, inboxId, content, revision, at: clock.now() },
        standsAlone: draft.standsAlone || isAnswerTaken(files.all(), draft),
      })
      return true
    }
    const isToLookAt = toLookAt.delete(id)
    if (request === null && isOnPlatform(draft) && !isToLookAt) return false
    await update(draft)
    return true
  }

  const soon = (id: string): void => {
    dueAt.set(id, Math.min(dueAt.get(id) ?? Infinity, clock.elapsed()))
    turns.wake()
  }
  /** A draft whose turn has come keeps it. */
  const later = (id: string, milliseconds: number): void => {
    const now = clock.elapsed()
    if ((dueAt.get(id) ?? Infinity) <= now) return
    dueAt.set(id, now + milliseconds)
    turns.wake()
  }

  const run = async (id: string): Promise<void> => {
    try {
      while (!signal.aborted && (await step(id)));
      failures.delete(id)
    } catch (thrown) {
      if (signal.aborted) return
      const draft = files.get(id)
      if (draft === undefined) return
      const reason = refusalOfDraft(thrown)
      if (reason !== null) {
        const revision = draft.request?.revision ?? draft.revision
        refused.set(id, revision)
        try {
          learn(id, { request: null, notKept: { revision, reason } })
        } catch (failed) {
          report(failed)
        }
        return
      }
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      // Reaching the platform is told elsewhere: what is unreachable now is tried again when it is not.
      if (!(thrown instanceof ProblemError)) report(thrown)
      later(id, backOff(count + 2, Math.random()))
    }
  }
  /** @returns milliseconds until the next turn; null for none */
  const takeTurns = async (): Promise<number | null> => {
    while (!signal.aborted) {
      const [next] = [...dueAt].toSorted(([, a], [, b]) => a - b)
      if (next === undefined) return null
      const [id, at] = next
      const wait = at - clock.elapsed()
      if (wait > 0) return wait
      dueAt.delete(id)
      const work = run(id).finally(() => {
        current = null
      })
      current = { id, work }
      await work
    }
    return null
  }

  return {
    changed: (id) => {
      if (!signal.aborted) later(id, PAUSE_MS)
    },
    compare: (inboxId, listed) => {
      const there = new Map(listed.map(({ id, updatedAt }) => [id, updatedAt]))
      for (const { id, platform: known, discardedAt, theirs } of files.all()) {
        if (known?.inboxId !== inboxId || discardedAt !== null || theirs !== null) continue
        if (there.has(known.id) && there.get(known.id) === known.seen.updatedAt) continue
        toLookAt.add(id)
        soon(id)
      }
    },
    quiet: async (id) => {
      while (current?.id === id) await current.work
      const draft = files.get(id)
      // Whether the platform has made one is to be known before it is sent.
      if (draft !== undefined && draft.request !== null && draft.platform === null) await createOrForget(draft)
    },
    start: () => {
      for (const { id, platform: known, request, discardedAt, isUntouched } of files.all()) {
        // What was thrown away before this start cannot be taken back any more, and nobody writes in what was only opened.
        const isOver = discardedAt !== null || isUntouched === true
        if (isOver && known === null && request === null) files.remove(id)
      }
      for (const { id } of files.all()) soon(id)
      turns.start({
        step: takeTurns,
        failed: (thrown) => {
          report(thrown)
          return PAUSE_MS
        },
        signal,
      })
    },
    nudge: () => {
      for (const { id } of files.all()) if (failures.has(id)) soon(id)
    },
    ended: () => turns.ended(),
  }
}
