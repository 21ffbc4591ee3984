import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { DraftContent } from '../../shared/drafts.ts'
import type { FetchedDraft } from '../api/drafts.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { OutgoingFile } from '../api/outgoing-body.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { CallOptions } from '../api/requests.ts'
import type { Clock } from '../timing/clock.ts'
import { assembleMessage } from './assemble-message.ts'
import type { DraftStore } from './draft-store.ts'
import { applyToDraft, type DraftEvent } from './draft-table.ts'
import { hasGivenUp, type DraftTransfers } from './draft-transfers.ts'
import { isDraftEditable, isSavedOnPlatform, type LocalDraft, type SeenVersion } from './local-draft.ts'
import { findReplyTarget, findByPlatformId, isReplyTaken } from './unsent-reply.ts'
import { toDraftContent, haveSameFiles, fingerprintContent, fingerprintText } from './platform-content.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import { UnsavableDraftError } from './sending-refusal.ts'
import { isDraftEmpty } from './waiting-drafts.ts'

/** The platform keeps idempotency keys for a day (platform facts 1); stop relying on them an hour earlier. */
const KEY_LIFETIME_MS = 23 * 60 * 60_000

const outgoingOf = (content: DraftContent) => ({
  ...assembleMessage(content),
  to: content.to,
  cc: content.cc,
  bcc: content.bcc,
})

const seenOf = (there: FetchedDraft, known: DraftContent): SeenVersion => ({
  updatedAt: there.updatedAt,
  content: toDraftContent(there, known.files),
})

type Learned = Partial<LocalDraft>

export interface DraftStepsDependencies {
  readonly files: DraftStore
  readonly platform: Pick<MailPlatform, 'createDraft' | 'updateDraft' | 'getDraft'>
  readonly theirs: Pick<PlatformDrafts, 'delete'>
  readonly transfers: Pick<DraftTransfers, 'run'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Makes the next request for a draft, as determined by its file: to save a revision, delete a discarded draft, or
 * repeat a request whose response was lost.
 */
export class DraftSteps {
  readonly #parts: DraftStepsDependencies
  readonly #options: CallOptions
  readonly #toFetch = new Set<string>()
  /** Rejected revisions, which are not sent again. */
  readonly #refused = new Map<string, number>()

  constructor(parts: DraftStepsDependencies) {
    this.#parts = parts
    this.#options = { priority: 'screen', signal: parts.signal }
  }

  /** Makes the next step fetch a draft. */
  lookAt(id: string): void {
    this.#toFetch.add(id)
  }

  giveUp(id: string, revision: number): void {
    this.#refused.set(id, revision)
  }

  /** Takes one step. @returns true if another step may follow */
  async take(id: string): Promise<boolean> {
    const draft = this.#parts.files.get(id)
    if (draft === undefined) return false
    const { platform: known, request, discardedAt } = draft
    const isSending = !isDraftEditable(draft) && discardedAt === null
    if (hasGivenUp(draft)) {
      if (discardedAt === null) return false
      if (request !== null && draft.broken?.mayHaveArrived === false) {
        // Every upload was cut off, so there is nothing to delete.
        this.#parts.files.learn(id, { request: null, broken: undefined })
        return true
      }
    }
    // For messages being sent, `DraftSync.whenSettled` does this first.
    if (request !== null && known === null && !isSending) {
      await this.createOrForget(draft)
      return true
    }
    if (discardedAt !== null) {
      await this.#removeDiscarded(draft)
      return false
    }
    if (!isDraftEditable(draft) || draft.theirs !== null || this.#refused.get(id) === draft.revision) return false
    if (known !== null && known.inboxId !== draft.inboxId) {
      await this.#parts.theirs.delete(known, this.#options)
      this.#parts.files.learn(id, { platform: null, request: null, standsAlone: false })
      return true
    }
    if (known === null) return this.#prepareCreate(draft)
    const isToLookAt = this.#toFetch.delete(id)
    if (request === null && isSavedOnPlatform(draft) && !isToLookAt) return false
    this.#parts.files.learn(id, await this.#update(draft, known))
    return true
  }

  /** Repeats a request without a response. An expired key is dropped, as it would create a second draft. */
  async createOrForget(draft: LocalDraft): Promise<void> {
    const { id, request } = draft
    if (request === null) return
    const isForgotten = this.#parts.clock.now() - request.at > KEY_LIFETIME_MS
    this.#parts.files.learn(id, isForgotten ? { request: null } : await this.#create(draft, request))
  }

  async #removeDiscarded(draft: LocalDraft): Promise<void> {
    const { id, platform: known } = draft
    if (known !== null) {
      // After a conflict, the platform's draft is somebody else's.
      if (draft.theirs === null) await this.#parts.theirs.delete(known, this.#options)
      this.#parts.files.learn(id, { platform: null, request: null, theirs: null })
    }
    // Sending can't be undone any more.
    if (!isDraftEditable(draft)) this.#parts.files.remove(id)
  }

  #prepareCreate(draft: LocalDraft): boolean {
    const { files, clock } = this.#parts
    const { id, inboxId, content, revision } = draft
    if (draft.isUntouched === true || isDraftEmpty(content)) return false
    // An incomplete message must not be sent.
    this.#outgoingFiles(content)
    // Written before the request, so that a retry after a lost response uses the same key and creates no duplicate.
    this.#parts.files.learn(id, {
      request: { key: `draft-${randomUUID()}`, inboxId, content, revision, at: clock.now() },
      standsAlone: draft.standsAlone || isReplyTaken(files.all(), draft),
    })
    return true
  }

  async #create(draft: LocalDraft, request: NonNullable<LocalDraft['request']>): Promise<Learned> {
    const { files, platform, transfers } = this.#parts
    const { key, inboxId, content, revision } = request
    const attached = this.#outgoingFiles(content)
    const answers = findReplyTarget(draft)
    const withKey = { ...this.#options, idempotencyKey: key }
    let made: string
    try {
      made = await transfers.run(draft, withKey, (options) =>
        platform.createDraft(inboxId, outgoingOf(content), answers, attached, { ...withKey, ...options }),
      )
    } catch (thrown) {
      // The e-mail being answered isn't in this inbox, or no longer exists.
      if (answers !== null && isNotFound(thrown)) return { request: null, standsAlone: true }
      throw thrown
    }
    const there = await this.#fetchRemote(inboxId, made)
    if (there === null) return { request: null }
    const seen = seenOf(there, content)
    const isHeld = findByPlatformId(files.all(), made, draft.id) !== undefined
    if (fingerprintText(seen.content) === fingerprintText(content) && !isHeld) {
      return { request: null, platform: { id: made, inboxId, revision, seen }, broken: undefined }
    }
    // For a reply, the platform returns an existing draft, whoever created it (platform facts 3.7).
    const now = files.get(draft.id)
    const isSending = now !== undefined && !isDraftEditable(now)
    // The user can't choose between drafts while the message is being sent, so leave the other one alone.
    if (isSending || isHeld) return { request: null, standsAlone: true }
    return this.#conflict(draft.id, { id: made, inboxId, seen }, seen)
  }

  async #update(draft: LocalDraft, known: NonNullable<LocalDraft['platform']>): Promise<Learned> {
    const { files, platform, transfers, clock } = this.#parts
    const { id, request, content, revision } = draft
    const there = await this.#fetchRemote(known.inboxId, known.id)
    if (there === null) return this.#afterRemoteRemoval(id)
    const seen = seenOf(there, { ...content, files: [...content.files, ...known.seen.content.files] })
    const isAsSeen = seen.updatedAt !== null && seen.updatedAt === known.seen.updatedAt
    if (!isAsSeen && fingerprintContent(seen.content) !== fingerprintContent(known.seen.content)) {
      // If the last response was lost, this may be our own change.
      const isOwn = request !== null && fingerprintText(seen.content) === fingerprintText(request.content)
      if (!isOwn) return this.#conflict(id, known, seen)
      return { request: null, platform: { ...known, revision: request.revision, seen } }
    }
    const now = files.get(id)
    if (now?.revision !== revision || isSavedOnPlatform(now) || !isDraftEditable(now)) {
      return { request: null, platform: { ...known, seen } }
    }
    const areSameFiles = haveSameFiles(content, known.seen.content)
    const attached = areSameFiles ? null : this.#outgoingFiles(content)
    this.#parts.files.learn(id, {
      request: { key: randomUUID(), inboxId: known.inboxId, content, revision, at: clock.now() },
    })
    await transfers.run(draft, this.#options, (options) =>
      platform.updateDraft(known.inboxId, known.id, outgoingOf(seen.content), outgoingOf(content), attached, options),
    )
    const after = await this.#fetchRemote(known.inboxId, known.id)
    if (after === null) return this.#afterRemoteRemoval(id)
    return { request: null, platform: { ...known, revision, seen: seenOf(after, content) }, broken: undefined }
  }

  /** The platform's draft differs from the local one, so the user has to choose. */
  #conflict(id: string, known: Omit<NonNullable<LocalDraft['platform']>, 'revision'>, theirs: SeenVersion): Learned {
    return this.#apply(id, { kind: 'changedElsewhere', platform: { ...known, revision: null }, theirs })
  }

  #afterRemoteRemoval(id: string): Learned {
    return this.#apply(id, { kind: 'deletedElsewhere', at: this.#parts.clock.now() })
  }

  /** Written at once, since the draft may change before the caller continues. @returns nothing else to learn */
  #apply(id: string, event: DraftEvent): Learned {
    const { files } = this.#parts
    const draft = files.get(id)
    if (draft !== undefined) files.put(applyToDraft(draft, event).draft)
    return {}
  }

  async #fetchRemote(inboxId: string, id: string): Promise<FetchedDraft | null> {
    try {
      const there = await this.#parts.platform.getDraft(inboxId, id, this.#options)
      return there.emailId === null ? there : null
    } catch (thrown) {
      if (isNotFound(thrown)) return null
      throw thrown
    }
  }

  /** @throws UnsavableDraftError for a file without local bytes, because the platform doesn't return a draft's files */
  #outgoingFiles(content: DraftContent): readonly OutgoingFile[] {
    const { bytes } = this.#parts.files
    return content.files.map(({ filename, contentType, contentId, size, digest }) => {
      if (digest === null) throw new UnsavableDraftError(filename)
      return { filename, contentType, contentId, size, read: () => createReadStream(bytes.path(digest)) }
    })
  }
}
