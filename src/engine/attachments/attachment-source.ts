import { knownType } from '../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { SignedDownloads } from '../api/signed-downloads.ts'
import type { Progress } from '../network/exchange.ts'
import type { Priority } from '../api/request-budget.ts'
import type { Contents } from '../contents/contents.ts'
import type { OriginalEffort, Originals } from '../originals/originals.ts'
import { problem } from '../saying.ts'
import { ACCOUNT, type Abilities } from '../sync/abilities.ts'
import type { Clock } from '../timing/clock.ts'
import { attachmentKey, isOwnId } from './attachment-keys.ts'
import type { AttachmentOwner } from './attachment-lists.ts'
import { findPart, type AttachmentPart } from './attachment-parts.ts'
import { typeOfBytes } from './type-of-bytes.ts'

/** An attachment to fetch. */
export interface WantedBytes {
  readonly of: BodyOwner
  readonly owner: AttachmentOwner
  /** Its place among the owner's attachments. */
  readonly place: number
  readonly effort: OriginalEffort
  readonly ending: AbortSignal
  readonly progress: Progress
}

/** Bytes as they came. */
export interface FetchedBytes {
  readonly bytes: Uint8Array
  /** The type that they came with. */
  readonly contentType: string | null
}

export interface AttachmentSourceParts {
  readonly platform: Pick<MailPlatform, 'getAttachment'>
  readonly downloads: Pick<SignedDownloads, 'fetchFresh'>
  readonly contents: Pick<Contents, 'put' | 'has'>
  readonly originals: Pick<Originals, 'read' | 'isHere'>
  readonly abilities: Abilities
  readonly clock: Clock
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  readonly report: (thrown: unknown) => void
}

export const WORDS = {
  unreachable: 'You are offline, and this attachment is not on this computer yet. Go online to download it.',
  not_found: 'This attachment is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform does not offer this attachment, and the original of the message does not have it.'
const BROKEN_LINK = 'The platform’s link to this attachment does not work. Try again later.'

/** The type of fetched bytes: the e-mail's word before the platform's, and both before what the bytes look like. */
export const typeOf = (
  listed: Pick<Attachment, 'contentType'> | undefined,
  { contentType, bytes }: FetchedBytes,
): string | null => {
  const known = [listed?.contentType, contentType].find((type) => knownType(type) !== '')
  return known ?? typeOfBytes(bytes) ?? listed?.contentType ?? contentType
}

/** Waits no longer than until the signal is aborted. */
const untilAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })

/** Gets attachments that are not here: from the platform (platform facts 3.4, 6, 7), or out of the e-mail's original. */
export class AttachmentSource {
  readonly #parts: AttachmentSourceParts

  constructor(parts: AttachmentSourceParts) {
    this.#parts = parts
  }

  /** Whether an e-mail's original is here: then its attachments are, too. */
  hasOriginal(of: BodyOwner): boolean {
    return this.#parts.originals.isHere(of)
  }

  /** @throws ProblemError as `Attachments.fetch` */
  async fetch(wanted: WantedBytes): Promise<FetchedBytes> {
    const { of, ending } = wanted
    // An original that is here is not fetched again in parts.
    let failure: Error | null = null
    if (this.hasOriginal(of)) {
      try {
        return await this.#fromOriginal(wanted)
      } catch (thrown) {
        ending.throwIfAborted()
        failure = thrown instanceof Error ? thrown : new Error(String(thrown))
      }
    }
    const answer = await this.#fromPlatform(wanted)
    if (typeof answer === 'object') return answer
    try {
      if (failure !== null) throw failure
      return await this.#fromOriginal(wanted)
    } catch (thrown) {
      ending.throwIfAborted()
      if (toProblem(thrown).code !== 'not_found') throw thrown
      throw answer === 'not reached' ? problem('unreachable', WORDS.unreachable) : problem('not_found', NOT_OFFERED)
    }
  }

  /** @returns why the platform did not give the bytes, where it did not */
  async #fromPlatform(wanted: WantedBytes): Promise<FetchedBytes | 'not reached' | 'not offered'> {
    const { abilities, clock } = this.#parts
    const { of, owner, place, effort, ending } = wanted
    if (effort === 'onlyHere') return 'not reached'
    const attachmentId = owner.attachments[place]?.id ?? ''
    const isOfThread = of.list === 'threads'
    const ability = 'retrieve thread attachments'
    if (!isOwnId(attachmentId) || (isOfThread && !abilities.isWorthAsking(ACCOUNT, ability))) return 'not offered'
    const askedAt = clock.elapsed()
    try {
      const fetched = await this.#download(wanted, attachmentId, effort)
      if (isOfThread) abilities.offered(ACCOUNT, ability)
      return fetched
    } catch (thrown) {
      ending.throwIfAborted()
      const isUnreachable = thrown instanceof ProblemError && thrown.problem.code === 'unreachable'
      const isMissing =
        lacksOperation(thrown) || (thrown instanceof ProblemError && thrown.problem.code === 'not_found')
      if (!isUnreachable && !isMissing) throw thrown
      // A 404 for an e-mail that is gone from the platform says nothing about what the platform offers.
      if (isOfThread && owner.onServer && lacksOperation(thrown)) abilities.refused(ACCOUNT, ability, askedAt)
      return isUnreachable ? 'not reached' : 'not offered'
    }
  }

  async #download(
    { of, owner, ending, progress }: WantedBytes,
    attachmentId: string,
    priority: Priority,
  ): Promise<FetchedBytes> {
    const { platform, downloads } = this.#parts
    let contentType: string | null = null
    const askForLink = async (): Promise<string> => {
      const options = { priority, signal: ending }
      const attachment = await platform.getAttachment(owner.kind, of.emailId, attachmentId, options)
      const { downloadUrl } = attachment
      if (downloadUrl === null || downloadUrl === '') throw problem('not_found', WORDS.not_found)
      contentType = attachment.contentType
      return downloadUrl
    }
    const bytes = await downloads.fetchFresh(askForLink, BROKEN_LINK, ending, progress)
    return { bytes, contentType }
  }

  /** Takes the original apart, and keeps all of the e-mail's attachments that are in it. */
  async #fromOriginal({ of, owner, place, effort, ending }: WantedBytes): Promise<FetchedBytes> {
    const { originals, contents, readParts, report } = this.#parts
    const { content } = await untilAborted(originals.read(of, effort), ending)
    const parts = await readParts(content, ending)
    const found = findPart(owner.attachments, place, parts)
    if (found === null) throw problem('not_found', NOT_OFFERED)
    for (const [index, other] of owner.attachments.entries()) {
      const part = index === place ? null : findPart(owner.attachments, index, parts)
      if (part === null || contents.has(attachmentKey(of, other.id))) continue
      const contentType = typeOf(other, part)
      await contents.put(attachmentKey(of, other.id), part.bytes, { contentType }).catch(report)
    }
    return found
  }
}
