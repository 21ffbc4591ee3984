import { randomUUID } from 'node:crypto'
import type { DraftState, SendRefusal } from '../../shared/writing.ts'
import { ProblemError } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, neverTookEffect, PlatformRefusal } from '../api/platform-problem.ts'
import { asScreen, unlessGone } from '../outbox/changes/change-parts.ts'
import { problem } from '../saying.ts'
import type { Cache } from '../store/cache.ts'
import type { DraftFiles } from './draft-files.ts'
import { findSent } from './find-sent.ts'
import type { KeptDraft } from './kept-draft.ts'
import { isAnswerTaken } from './one-answer.ts'
import { removeThere } from './remove-there.ts'
import { CannotBeSent, sendThrough, WayIsGone, type LeavingDraft } from './send-through.ts'
import type { Sending } from './sending.ts'
import { findFault, refusalOf } from './sending-refusal.ts'
import { asEmail, chooseWay, type ToBeSent } from './ways-of-sending.ts'
import { sleep, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** The platform keeps a key for 24 hours (platform facts 1); after this it is not relied on any more. */
const KEY_LASTS_MS = 23 * 60 * 60 * 1000
/** How long after its time a scheduled message is looked at, and again where the platform has not sent it yet. */
const LOOK_AFTER_MS = 3_000
const LOOK_AGAIN_MS = 20_000
/** After how long what could not be written is tried again: room may be made on a full disk. */
const WRITE_AGAIN_MS = 5_000
/** So long a person who takes a message back waits for what becomes of the try that is under way. */
const LONGEST_TRY_MS = 5_000

const MAY_HAVE_BEEN_SENT: SendRefusal = {
  field: 'message',
  message:
    'This message may have been sent: the platform did not answer for a day. Check Sent before you send it again.',
}
const ON_ITS_WAY = 'This message is being sent or already sent. It is too late to undo.'
const SENT_ALREADY = 'This message is already sent.'

/** What was sent, and where it can be seen. */
export interface SentDraft {
  readonly draftId: string
  readonly inboxId: string
  readonly threadId: string | null
  readonly emailId: string
}

/** The sending of an account's drafts. All throw `not_found` for a draft that is not there. */
export interface DraftSending {
  /**
   * Sends a draft: on the disk when this returns.
   * @throws ProblemError `conflict` where it is another revision or on its way, `refused` with the field where it cannot
   *   be sent as it is
   */
  readonly send: (
    draftId: string,
    revision: number,
    how: { readonly holdSeconds: number; readonly archive: boolean; readonly scheduledAt: number | null },
  ) => DraftState
  /** Makes it an open draft again. @throws ProblemError `conflict` where it is sent, or may be */
  readonly cancel: (draftId: string) => Promise<void>
  /** @throws ProblemError `conflict` where it is not scheduled, `refused` with the field for a time that cannot be */
  readonly reschedule: (draftId: string, scheduledAt: number) => Promise<void>
  /** Brings a draft that waits to the platform; nothing where there is nothing to do. @throws where it is to be tried again */
  readonly deliver: (draftId: string, signal: AbortSignal) => Promise<void>
  /** Goes on with what an end has left. */
  readonly start: () => void
  /** How many are held back for a moment, so that they can be taken back. */
  readonly held: () => number
}

const refuse = ({ field, message }: SendRefusal): ProblemError =>
  new ProblemError({ code: 'refused', message, details: { field } })

const GONE: SendRefusal = {
  field: 'message',
  message: 'The message you reply to and this draft are no longer on the platform.',
}

/** The queue takes back what the platform refuses; what comes here is to be tried again. */
const asPassing = (thrown: unknown): unknown =>
  thrown instanceof PlatformRefusal && thrown.problem.code !== 'rate_limited'
    ? new ProblemError({ code: 'platform_failed', message: thrown.message }, { cause: thrown })
    : thrown

export const createDraftSending = ({
  drafts,
  platform,
  cache,
  isInboxThere,
  enqueue,
  archive,
  unarchive = () => undefined,
  settleDraft = () => Promise.resolve(),
  reopened = () => undefined,
  dropped = () => undefined,
  follow = () => undefined,
  sent,
  signal,
  report,
  clock,
}: {
  readonly drafts: DraftFiles
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly isInboxThere: (inboxId: string) => boolean
  /** Has a draft delivered when the platform can be reached; null where that is not wanted any more. */
  readonly enqueue: (draft: Pick<KeptDraft, 'id' | 'inboxId'>, key: string | null) => void
  /** @returns what `unarchive` takes to undo it */
  readonly archive: (inboxId: string, threadId: string) => string
  readonly unarchive?: (archivedBy: string) => void
  /** Waits until nothing else is asked of the platform about a draft. */
  readonly settleDraft?: (draftId: string, signal: AbortSignal) => Promise<void>
  /** A draft is written on. */
  readonly reopened?: (draft: KeptDraft) => void
  /** The platform has a draft no more. @param id the platform's own */
  readonly dropped?: (id: string) => void
  /** The platform has taken a message: noted before its draft goes, so that an end in between loses nothing. */
  readonly follow?: (message: Pick<SentDraft, 'inboxId' | 'threadId' | 'emailId'>) => void
  readonly sent: (sent: SentDraft) => void
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
}): DraftSending => {
  const { now } = clock
  /** When each scheduled message was last asked about. */
  const lookedAt = new Map<string, number>()

  const find = (id: string): KeptDraft => {
    const draft = drafts.get(id)
    if (draft?.discardedAt !== null) throw problem('not_found', 'This draft no longer exists.')
    return draft
  }
  /** The message is to be a draft again: its thread is where it was before it was sent. First, so that an end hides none. */
  const bringBackThread = ({ sending }: KeptDraft): void => {
    if (sending?.archivedBy === undefined) return
    try {
      unarchive(sending.archivedBy)
    } catch (thrown) {
      report(thrown)
    }
  }
  const open = (draft: KeptDraft): void => {
    const next: KeptDraft = { ...draft, state: { kind: 'open' }, sending: null }
    bringBackThread(draft)
    drafts.put(next)
    reopened(next)
  }
  const refused = (draft: KeptDraft, reason: SendRefusal): void => {
    bringBackThread(draft)
    drafts.put({ ...draft, state: { kind: 'refused', reason }, sending: null })
  }
  /** The thread leaves the list with the message. Where that cannot be written now, it follows when the message is sent. */
  const archiveThread = (draftId: string): void => {
    const draft = drafts.get(draftId)
    if (draft?.sending?.archive !== true || draft.target === null) return
    try {
      const archivedBy = archive(draft.inboxId, draft.target.threadId)
      drafts.put({ ...draft, sending: { ...draft.sending, archivedBy } })
    } catch (thrown) {
      report(thrown)
    }
  }
  const optionsOf = (ending: AbortSignal) => asScreen(ending)

  /** When something is to be done next for a draft. */
  const dueAt = ({ id, state }: KeptDraft): number => {
    if (state.kind === 'held') return state.at
    if (state.kind !== 'scheduled') return Infinity
    const last = lookedAt.get(id)
    if (last === undefined) return now()
    const first = state.at + LOOK_AFTER_MS
    return last < first ? first : last + LOOK_AGAIN_MS
  }

  const release = (draft: KeptDraft): void => {
    if (draft.sending === null) return
    drafts.put({ ...draft, state: { kind: 'waiting' } })
    enqueue(draft, draft.sending.key)
  }

  /** All that is known of a draft that leaves. */
  const known = (draft: KeptDraft, scheduledAt: number | null): ToBeSent => {
    const { inboxId, kind, target, content, standsAlone } = draft
    const stored = cache.inboxes.get(inboxId)
    const ref = stored === undefined ? null : { key: stored.key, id: inboxId }
    const original =
      ref === null || target === null ? undefined : cache.emails.get(ref, target.threadId, target.emailId)
    const bodyOf = (body: 'html' | 'text') => (original === undefined ? null : cache.emails.bodyOf(original, body))
    const before =
      ref === null || target === null || original === undefined
        ? []
        : cache.emails
            .ofThread(ref, target.threadId, true)
            .filter(({ receivedAt }) => receivedAt <= original.receivedAt)
            .flatMap(({ messageId }) => messageId ?? [])
    return {
      ...{ inboxId, kind, target, content, scheduledAt },
      hasDraftThere: draft.platform !== null,
      standsAlone,
      from: { name: stored?.fromName ?? null, address: stored?.inbox.emailAddress ?? '' },
      original: original === undefined ? null : { ...original, html: bodyOf('html'), text: bodyOf('text') },
      references: before,
    }
  }

  const leaving = (waiting: KeptDraft, sending: Sending): LeavingDraft => {
    const hasNothing = waiting.platform === null && waiting.request === null
    const standsAlone = waiting.standsAlone || (hasNothing && isAnswerTaken(drafts.all(), waiting))
    const draft = { ...waiting, standsAlone }
    const way = sending.way ?? chooseWay(known(draft, sending.scheduledAt))
    const next: LeavingDraft = { ...draft, state: { kind: 'sending' }, sending: { ...sending, way } }
    drafts.put(next)
    return next
  }

  /** What the platform still has of a draft that was sent in another way. */
  const removeLeftover = async (draft: KeptDraft, options: ReturnType<typeof asScreen>) => {
    const { platform: there, sending, theirs } = draft
    // One that is somebody else's as well is not this message's to delete.
    if (sending?.way?.kind === 'draft' || there === null || theirs !== null) return
    await removeThere(platform, there, options)
  }

  /** The thread in which a message is, as far as the platform tells it. */
  const threadOf = async (draft: KeptDraft, options: ReturnType<typeof asScreen>): Promise<string | null> => {
    const { target, kind, sending, platform: there } = draft
    if (target !== null && kind !== 'new') return target.threadId
    const way = sending?.way
    if (way?.kind !== 'draft' || there === null) return null
    const found = await unlessGone(platform.getDraft(way.inboxId, there.id, options))
    return found?.threadId ?? null
  }

  /** What follows on a message that the platform has taken; an end in between has it done again, which changes nothing. */
  const finish = async (draft: KeptDraft, emailId: string, ending: AbortSignal): Promise<void> => {
    const options = optionsOf(ending)
    await removeLeftover(draft, options)
    const threadId = await threadOf(draft, options)
    const isToArchive = draft.sending?.archive === true && draft.sending.archivedBy === undefined
    if (isToArchive && draft.target !== null) archive(draft.inboxId, draft.target.threadId)
    if (draft.platform !== null && draft.theirs === null) dropped(draft.platform.id)
    follow({ inboxId: draft.inboxId, threadId, emailId })
    drafts.remove(draft.id)
    lookedAt.delete(draft.id)
    sent({ draftId: draft.id, inboxId: draft.inboxId, threadId, emailId })
  }

  const taken = async (draft: LeavingDraft, emailId: string, ending: AbortSignal): Promise<void> => {
    const { scheduledAt } = draft.sending
    const isLater = scheduledAt !== null && scheduledAt > now()
    const next: KeptDraft = {
      ...draft,
      sending: { ...draft.sending, emailId },
      state: scheduledAt === null || !isLater ? { kind: 'sending' } : { kind: 'scheduled', at: scheduledAt },
    }
    // Before anything follows: after an end it is not sent again.
    drafts.put(next)
    if (!isLater) return finish(next, emailId, ending)
    lookedAt.set(draft.id, now())
    await removeLeftover(next, optionsOf(ending))
    // It may have been cancelled or sent while that was asked.
    const current = drafts.get(draft.id)
    if (current?.state.kind === 'scheduled' && current.sending?.emailId === emailId && current.platform !== null) {
      drafts.put({ ...current, platform: null })
    }
  }

  const withNewKey = (draft: LeavingDraft, way: Sending['way']): KeptDraft & { readonly sending: Sending } => ({
    ...draft,
    sending: { ...draft.sending, key: randomUUID(), way, askedAt: null },
  })

  /** What became of a message of which nothing was heard: the platform remembers its key no more, or knows it otherwise. */
  const fateOf = async (draft: LeavingDraft, ending: AbortSignal) => {
    const { way, askedAt } = draft.sending
    if (way.kind === 'draft') {
      const id = draft.platform?.id ?? null
      const there = id === null ? null : await unlessGone(platform.getDraft(way.inboxId, id, optionsOf(ending)))
      // What it was sent with is compared there: it may have been somebody else's doing.
      if (there?.emailId === null) return 'not sent'
    }
    return findSent(platform, draft.content, askedAt ?? now(), optionsOf(ending))
  }

  /** @param mayTurn whether it may go another way where the one that was chosen is gone */
  const attempt = async (draft: LeavingDraft, ending: AbortSignal, mayTurn: boolean): Promise<void> => {
    const { askedAt } = draft.sending
    if (askedAt !== null && now() - askedAt > KEY_LASTS_MS) {
      const fate = await fateOf(draft, ending)
      if (fate === 'unknown') throw new CannotBeSent(MAY_HAVE_BEEN_SENT)
      if (fate !== 'not sent') return taken(draft, fate.emailId, ending)
      return attempt(leaving(draft, withNewKey(draft, draft.sending.way).sending), ending, mayTurn)
    }
    let asked = draft
    let emailId: string
    try {
      emailId = await sendThrough(
        {
          platform,
          drafts,
          now,
          asking: (ready) => {
            asked = { ...ready, sending: { ...ready.sending, askedAt: ready.sending.askedAt ?? now() } }
            drafts.put(asked)
            return asked
          },
        },
        draft,
        optionsOf(ending),
      )
    } catch (thrown) {
      if (thrown instanceof WayIsGone && mayTurn && !ending.aborted) {
        const turned = { ...withNewKey(asked, null), request: null }
        const way = asEmail(known({ ...turned, platform: null }, turned.sending.scheduledAt))
        const isDraftGone = draft.sending.way.kind === 'draft' && draft.sending.way.answers === null
        const next = { ...turned, platform: isDraftGone ? null : turned.platform }
        return attempt(leaving(next, { ...turned.sending, way: isDraftGone ? null : way }), ending, false)
      }
      if (thrown instanceof PlatformRefusal && thrown.errorName === 'invalid_idempotent_request') {
        const fate = await fateOf(asked, ending)
        if (typeof fate === 'object') return taken(asked, fate.emailId, ending)
        throw new CannotBeSent(MAY_HAVE_BEEN_SENT)
      }
      // Nothing has left: it can still be taken back.
      if (!ending.aborted && (neverTookEffect(thrown) || asked.sending.askedAt === null) && askedAt === null) {
        // With what was learned of the platform's draft on the way.
        const current = drafts.get(draft.id) ?? asked
        drafts.put({ ...current, state: { kind: 'waiting' }, sending: { ...asked.sending, askedAt: null } })
      }
      throw thrown
    }
    return taken(asked, emailId, ending)
  }

  const lookAtScheduled = async (draftId: string): Promise<void> => {
    const draft = drafts.get(draftId)
    const emailId = draft?.sending?.emailId ?? null
    if (draft?.state.kind !== 'scheduled' || emailId === null) return
    let email: Awaited<ReturnType<MailPlatform['getSentEmail']>> | null
    try {
      email = await platform.getSentEmail(emailId, optionsOf(signal))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      email = null
    }
    const current = drafts.get(draftId)
    if (current?.state.kind !== 'scheduled' || current.sending === null) return
    if (email === null) refused(current, MAY_HAVE_BEEN_SENT)
    else if (email.lastEvent === 'canceled' && current.sending.isCancelAsked === true) open(current)
    else if (email.lastEvent === 'canceled') {
      refused(current, { field: 'schedule', message: 'This message was cancelled elsewhere. It was not sent.' })
    } else if (email.lastEvent === 'scheduled') {
      const at = email.scheduledAt ?? current.state.at
      if (at !== current.state.at) {
        drafts.put({ ...current, state: { kind: 'scheduled', at }, sending: { ...current.sending, scheduledAt: at } })
      }
    } else await finish(current, emailId, signal)
  }

  const deliver = async (draftId: string, ending: AbortSignal): Promise<void> => {
    try {
      await settleDraft(draftId, ending)
    } catch (thrown) {
      // Where the platform does not take the draft, nothing of it is there.
      if (ending.aborted || refusalOf(thrown) === null) throw asPassing(thrown)
    }
    const draft = drafts.get(draftId)
    const sending = draft?.sending ?? null
    if (draft === undefined || sending === null) return
    if (draft.state.kind !== 'waiting' && draft.state.kind !== 'sending') return
    if (sending.emailId !== null) {
      await finish(draft, sending.emailId, ending)
      return
    }
    try {
      await attempt(leaving(draft, sending), ending, true)
    } catch (thrown) {
      if (ending.aborted) throw thrown
      const current = drafts.get(draftId)
      // What fails after the platform has taken it is done again.
      if (current?.sending?.emailId !== null) throw asPassing(thrown)
      const reason =
        thrown instanceof CannotBeSent ? thrown.reason : thrown instanceof WayIsGone ? GONE : refusalOf(thrown)
      if (reason === null) throw asPassing(thrown)
      refused(current, reason)
    }
  }

  /** Tries that are under way. */
  const tries = new Map<string, Promise<void>>()
  /**
   * A draft, once it is known what became of the try that is under way: where the platform could not be reached, nothing has
   * left this computer.
   */
  const findBetweenTries = async (id: string): Promise<KeptDraft> => {
    if (find(id).state.kind !== 'sending') return find(id)
    await Promise.race([tries.get(id), sleep(clock, LONGEST_TRY_MS, signal, { unref: true }).catch(() => undefined)])
    if (drafts.get(id) === undefined) throw problem('conflict', SENT_ALREADY)
    return find(id)
  }

  const cancel = async (draftId: string): Promise<void> => {
    const draft = await findBetweenTries(draftId)
    const { state, sending } = draft
    if (state.kind === 'open') return
    if (state.kind === 'sending') throw problem('conflict', ON_ITS_WAY)
    const emailId = sending?.emailId ?? null
    if (state.kind === 'scheduled' && sending !== null && emailId !== null) {
      // An end, or a lost answer, must not make somebody else's of what was wanted here.
      drafts.put({ ...draft, sending: { ...sending, isCancelAsked: true } })
      try {
        await platform.cancelEmail(emailId, { priority: 'action', signal })
      } catch (thrown) {
        if (!(thrown instanceof PlatformRefusal)) throw thrown
        await lookAtScheduled(draftId)
        // It was cancelled by a request whose answer was lost, or elsewhere: this is what was wanted.
        const after = drafts.get(draftId)?.state.kind
        if (after !== 'refused' && after !== 'open') throw problem('conflict', SENT_ALREADY)
      }
      const current = find(draftId)
      if (current.state.kind === 'scheduled' || current.state.kind === 'refused') open(current)
      return
    }
    open(draft)
    enqueue(draft, null)
  }

  const reschedule = async (draftId: string, scheduledAt: number): Promise<void> => {
    const draft = await findBetweenTries(draftId)
    const fault = findFault(draft.content, { inbox: 'there', scheduledAt, now: now() })
    if (fault !== null) throw refuse(fault)
    const { state, sending } = draft
    const isHere = state.kind === 'held' || state.kind === 'waiting'
    if (isHere && sending !== null && sending.scheduledAt !== null && sending.askedAt === null) {
      // Nothing has left this computer: another request is another key.
      const next = { ...draft, sending: { ...sending, key: randomUUID(), scheduledAt, way: null } }
      drafts.put(next)
      if (state.kind === 'waiting') enqueue(draft, next.sending.key)
      return
    }
    const emailId = sending?.emailId ?? null
    if (state.kind !== 'scheduled' || emailId === null) {
      throw problem('conflict', 'This message is not scheduled, or is already being sent.')
    }
    try {
      await platform.rescheduleEmail(emailId, scheduledAt, { priority: 'action', signal })
    } catch (thrown) {
      await lookAtScheduled(draftId).catch(() => undefined)
      throw thrown
    }
    const current = drafts.get(draftId)
    if (current?.state.kind !== 'scheduled' || current.sending === null) return
    drafts.put({
      ...current,
      state: { kind: 'scheduled', at: scheduledAt },
      sending: { ...current.sending, scheduledAt },
    })
  }

  const looking = new Loop(clock)
  /** @returns milliseconds until something is due; null for nothing */
  const doDue = (): number | null => {
    for (const draft of drafts.all()) {
      if (dueAt(draft) > now()) continue
      if (draft.state.kind === 'held') {
        release(draft)
        continue
      }
      lookedAt.set(draft.id, now())
      void lookAtScheduled(draft.id)
        .catch((thrown: unknown) => {
          if (!(thrown instanceof ProblemError)) report(thrown)
        })
        // The platform may have another time for it.
        .then(() => looking.wake())
    }
    const next = Math.min(...drafts.all().map(dueAt))
    return Number.isFinite(next) ? next - now() : null
  }

  return {
    send: (draftId, revision, { holdSeconds, archive: isArchived, scheduledAt }) => {
      const { isUntouched: _before, ...draft } = find(draftId)
      const { state } = draft
      if (state.kind !== 'open' && state.kind !== 'refused')
        throw problem('conflict', 'This message is already being sent.')
      if (draft.revision !== revision) {
        throw problem('conflict', 'This draft was changed in another window. Open it again to see the changes.')
      }
      if (draft.theirs !== null) {
        throw problem('conflict', 'This draft was also changed elsewhere. Choose a version, then send it.')
      }
      const inbox = isInboxThere(draft.inboxId) ? 'there' : 'gone'
      const fault = findFault(draft.content, { inbox, scheduledAt, now: now() })
      if (fault !== null) throw refuse(fault)
      const sending: Sending = {
        key: randomUUID(),
        archive: isArchived,
        ...{ scheduledAt, way: null, askedAt: null, emailId: null },
      }
      if (holdSeconds > 0) {
        const held: DraftState = { kind: 'held', at: now() + holdSeconds * 1000 }
        drafts.put({ ...draft, state: held, sending })
        archiveThread(draftId)
        looking.wake()
        return held
      }
      release({ ...draft, sending })
      archiveThread(draftId)
      return drafts.get(draftId)?.state ?? { kind: 'waiting' }
    },
    cancel: (draftId) => cancel(draftId).finally(() => looking.wake()),
    reschedule: (draftId, scheduledAt) => reschedule(draftId, scheduledAt).finally(() => looking.wake()),
    deliver: (draftId, ending) => {
      const work = deliver(draftId, ending).finally(() => {
        tries.delete(draftId)
        looking.wake()
      })
      tries.set(
        draftId,
        work.catch(() => undefined),
      )
      return work
    },
    start: () => {
      for (const draft of drafts.all()) {
        const { state, sending } = draft
        if ((state.kind === 'waiting' || state.kind === 'sending') && sending !== null) enqueue(draft, sending.key)
      }
      looking.start({
        step: doDue,
        failed: (thrown) => {
          report(thrown)
          // The disk may be full: it is held a moment longer.
          return WRITE_AGAIN_MS
        },
        signal,
      })
    },
    held: () => drafts.all().filter(({ state }) => state.kind === 'held').length,
  }
}
