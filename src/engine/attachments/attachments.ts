import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment, AttachmentList, ListedAttachment } from '../../shared/attachments.ts'
import { ProblemError } from '../../shared/result.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Progress } from '../network/exchange.ts'
import { digestOf, type Content, type Contents } from '../contents/contents.ts'
import type { EventHub } from '../event-hub.ts'
import type { OriginalEffort } from '../originals/originals.ts'
import { problem, saying } from '../saying.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { attachmentKey, idWithin } from './attachment-keys.ts'
import { AttachmentLists, goneEmail, placeOf, type AttachmentListParts } from './attachment-lists.ts'
import type { AttachmentPart } from './attachment-parts.ts'
import { AttachmentSource, typeOf, WORDS, type AttachmentSourceParts } from './attachment-source.ts'

/** The shortest time between two reports of how far a download is, milliseconds. */
const PROGRESS_EVERY_MS = 200

interface Fetching {
  readonly ending: AbortController
  readonly content: Promise<Content>
  done: number
  total: number | null
}

interface AttachmentsParts extends AttachmentListParts, Omit<AttachmentSourceParts, 'clock' | 'platform'> {
  readonly platform: AttachmentListParts['platform'] & AttachmentSourceParts['platform']
  readonly contents: Pick<Contents, 'get' | 'put' | 'has' | 'look' | 'piece'>
  readonly hub: Pick<EventHub, 'attachments'>
  readonly clock?: Clock
}

/** The attachments of an account's e-mails. */
export class Attachments {
  readonly #contents: AttachmentsParts['contents']
  readonly #hub: AttachmentsParts['hub']
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #report: (thrown: unknown) => void
  readonly #lists: AttachmentLists
  readonly #source: AttachmentSource
  readonly #underWay = new Map<string, Fetching>()
  /** The last one that the disk had no room for, so that it can be looked at and saved elsewhere all the same. */
  #unkept: { readonly key: string; readonly content: Content } | null = null

  constructor({ clock = systemClock, ...parts }: AttachmentsParts) {
    this.#contents = parts.contents
    this.#hub = parts.hub
    this.#clock = clock
    this.#signal = parts.signal
    this.#report = parts.report
    this.#lists = new AttachmentLists(parts)
    this.#source = new AttachmentSource({ ...parts, clock })
  }

  /**
   * An e-mail's attachments, each with a name, and whether they are here. One without a name is called by its type, as
   * far as that is known before it is fetched. Asks the platform for a sent e-mail whose attachments are not known.
   */
  async list(of: BodyOwner, effort: OriginalEffort = 'action'): Promise<AttachmentList> {
    try {
      const attachments = await this.#lists.allOf(of, effort)
      const isOriginalHere = attachments.length > 0 && this.#source.hasOriginal(of)
      const items = attachments.map((attachment): ListedAttachment => {
        const key = attachmentKey(of, attachment.id)
        const fetching = this.#underWay.get(key)
        return {
          ...attachment,
          isHere: isOriginalHere || this.#contents.has(key) || this.#unkept?.key === key,
          fetching: fetching === undefined ? null : { done: fetching.done, total: fetching.total ?? attachment.size },
        }
      })
      return { items, problem: null }
    } catch (thrown) {
      if (!(thrown instanceof ProblemError)) throw thrown
      return { items: [], problem: thrown.problem }
    }
  }

  /** One of them. @throws ProblemError `not_found` */
  async find(of: BodyOwner, attachmentId: string): Promise<Attachment> {
    const attachments = await this.#lists.allOf(of, 'action')
    const found = attachments[placeOf(attachments, attachmentId)]
    if (found === undefined) throw goneEmail()
    return found
  }

  /**
   * An attachment's bytes: from this computer, else from the platform, else out of the e-mail's original. What was
   * fetched is kept.
   * @throws ProblemError `unreachable` where they are not here and cannot be fetched, `not_found` where nobody has them,
   * `refused` for a file that is too large, an address that is not to be trusted or an original that cannot be taken
   * apart, `cancelled`
   */
  async fetch(of: BodyOwner, attachmentId: string, effort: OriginalEffort = 'action'): Promise<Content> {
    const key = attachmentKey(of, attachmentId)
    const begun = this.#underWay.get(key)
    if (begun !== undefined) return begun.content
    if (effort === 'onlyHere') return this.#fetchAndKeep(of, attachmentId, this.#signal, effort)
    const ending = new AbortController()
    const content = this.#fetchAndKeep(of, attachmentId, AbortSignal.any([this.#signal, ending.signal]), effort)
      .catch((thrown: unknown) => {
        throw saying(thrown, isNotFound(thrown) ? WORDS : { unreachable: WORDS.unreachable })
      })
      .finally(() => {
        this.#underWay.delete(key)
        this.#hub.attachments(of.emailId)
      })
    this.#underWay.set(key, { ending, content, done: 0, total: null })
    this.#hub.attachments(of.emailId)
    return content
  }

  /** A piece of what is here; null where it is not, or has changed. @param version the digest of the whole */
  async piece(
    of: BodyOwner,
    attachmentId: string,
    version: string,
    from: number,
    length: number,
  ): Promise<Uint8Array | null> {
    const key = attachmentKey(of, attachmentId)
    const unkept = this.#unkept
    if (unkept?.key === key && unkept.content.digest === version) {
      return unkept.content.bytes.subarray(from, from + length)
    }
    return this.#contents.look(key)?.digest === version ? this.#contents.piece(key, from, length) : null
  }

  /** Keeps the files within an attachment: from then on they are listed behind the e-mail's own. */
  async keepWithin(of: BodyOwner, attachmentId: string, files: readonly AttachmentPart[]): Promise<void> {
    const list: Attachment[] = []
    for (const [place, { filename, contentType, contentId, bytes }] of files.entries()) {
      const id = idWithin(attachmentId, place)
      const key = attachmentKey(of, id)
      list.push({ id, filename, size: bytes.byteLength, contentType, contentId })
      if (!this.#contents.has(key)) await this.#contents.put(key, bytes, { contentType })
    }
    if (await this.#lists.keepFilesWithin(of, attachmentId, list)) this.#hub.attachments(of.emailId)
  }

  /** Ends the fetching of an attachment, for everybody who waits for it. */
  cancel(of: BodyOwner, attachmentId: string): void {
    this.#underWay
      .get(attachmentKey(of, attachmentId))
      ?.ending.abort(problem('cancelled', 'This download was cancelled.'))
  }

  async #fetchAndKeep(
    of: BodyOwner,
    attachmentId: string,
    ending: AbortSignal,
    effort: OriginalEffort,
  ): Promise<Content> {
    const key = attachmentKey(of, attachmentId)
    const kept = (await this.#contents.get(key)) ?? (this.#unkept?.key === key ? this.#unkept.content : null)
    if (kept !== null) return kept
    const owner = await this.#lists.ownerOf(of, effort)
    const place = placeOf(owner.attachments, attachmentId)
    const progress = this.#progressOf(key, of.emailId)
    const fetched = await this.#source.fetch({ of, owner, place, effort, ending, progress })
    const { bytes } = fetched
    const contentType = typeOf(owner.attachments[place], fetched)
    try {
      return { ...(await this.#contents.put(key, bytes, { contentType })), bytes }
    } catch (thrown) {
      ending.throwIfAborted()
      this.#report(thrown)
      const content = { digest: await digestOf(bytes), bytes, contentType, fetchedAt: this.#clock.now() }
      this.#unkept = { key, content }
      return content
    }
  }

  #progressOf(key: string, emailId: string): Progress {
    let toldAt = 0
    return (done, total) => {
      const fetching = this.#underWay.get(key)
      if (fetching === undefined) return
      fetching.done = done
      fetching.total = total
      if (this.#clock.elapsed() - toldAt < PROGRESS_EVERY_MS) return
      toldAt = this.#clock.elapsed()
      this.#hub.attachments(emailId)
    }
  }
}
