import { attachmentFilename, knownType } from '../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment, AttachmentList, ListedAttachment } from '../../shared/attachments.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import { safeFilename } from '../../shared/safe-filename.ts'
import type { EmailKind } from '../api/attachments.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, lacksOperation } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import { downloadSigned, isExpired, LIMITS, type DownloadProgress } from '../api/raw-download.ts'
import { digestOf, type Content, type Contents } from '../contents/contents.ts'
import type { EventHub } from '../event-hub.ts'
import type { OriginalEffort, Originals } from '../originals/originals.ts'
import { problem, saying } from '../saying.ts'
import type { Cache } from '../store/cache.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import { ACCOUNT, type Abilities } from '../sync/abilities.ts'
import { asReceived } from '../store/received-copy.ts'
import { attachmentKey, filesWithinKey, idWithin, isOwnId, sentAttachmentsKey } from './attachment-keys.ts'
import { findPart, type AttachmentPart } from './attachment-parts.ts'
import { typeOfBytes } from './type-of-bytes.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** The attachments of an account's e-mails. */
export interface Attachments {
  /**
   * What an e-mail has, and what of it is here, each with a name: of what has none by its type, as far as that is known
   * before it is fetched. Asks the platform for a sent e-mail whose attachments are not known.
   */
  readonly list: (of: BodyOwner, effort?: OriginalEffort) => Promise<AttachmentList>
  /** One of them. @throws ProblemError `not_found` */
  readonly find: (of: BodyOwner, attachmentId: string) => Promise<Attachment>
  /**
   * An attachment's bytes: from this computer, else from the platform (platform facts 3.4, 6, 7), else out of the
   * e-mail's original. The signed address of a download is always a fresh one, and is asked for once more where it has
   * run out on the way. What was fetched is kept.
   * @throws ProblemError `unreachable` where they are not here and cannot be fetched, `not_found` where nobody has them,
   * `refused` for a file that is too large, an address that is not to be trusted or an original that cannot be taken
   * apart, `cancelled`
   */
  readonly fetch: (of: BodyOwner, attachmentId: string, effort?: OriginalEffort) => Promise<Content>
  /** A piece of what is here; null where it is not, or is another by now. @param version the digest of the whole */
  readonly piece: (
    of: BodyOwner,
    attachmentId: string,
    version: string,
    from: number,
    length: number,
  ) => Promise<Uint8Array | null>
  /** Keeps the files that are within an attachment: from then on they are listed behind the e-mail's own. */
  readonly keepWithin: (of: BodyOwner, attachmentId: string, files: readonly AttachmentPart[]) => Promise<void>
  /** Ends the fetching of an attachment, for everybody who waits for it. */
  readonly cancel: (of: BodyOwner, attachmentId: string) => void
}

/** The platform gave a link, and the place that it leads to did not take it. */
class ExpiredLink extends Error {}

/** How often is told how far a download has come, milliseconds. */
const TOLD_EVERY_MS = 200

/** An e-mail with attachments, as far as it is here. */
interface Owner {
  readonly attachments: readonly Attachment[]
  /** Under which of its lists the platform may know it. */
  readonly kind: EmailKind
  /** Whether the platform is known to have the e-mail. */
  readonly onServer: boolean
}

/** Bytes as they came. */
interface Fetched {
  readonly bytes: Uint8Array
  /** As what they came. */
  readonly contentType: string | null
}

interface Fetching {
  readonly ending: AbortController
  readonly content: Promise<Content>
  done: number
  total: number | null
}

const WORDS = {
  unreachable: 'You are offline, and this attachment is not on this computer yet. Go online to download it.',
  not_found: 'This attachment is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform does not offer this attachment, and the original of the message does not have it.'
const SENT_UNKNOWN = 'You are offline, and this computer does not know yet if this message has attachments.'
const BROKEN_LINK = 'The platform’s link to this attachment does not work. Try again later.'
const CANCELLED = 'This download was cancelled.'

/** The type of what was fetched: the e-mail's word before the platform's, and both before what the bytes look like. */
const typeOf = (
  listed: Pick<Attachment, 'contentType'> | undefined,
  { contentType, bytes }: Fetched,
): string | null => {
  const said = [listed?.contentType, contentType].find((type) => knownType(type) !== '')
  return said ?? typeOfBytes(bytes) ?? listed?.contentType ?? contentType
}

/** Waits no longer than until the signal is aborted. */
const untilAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    work.then(resolve, reject)
  })

export const createAttachments = ({
  platform,
  baseUrl,
  cache,
  contents,
  originals,
  abilities,
  hub,
  readParts,
  clock = systemClock,
  signal,
  report,
}: {
  readonly platform: Pick<MailPlatform, 'getAttachment' | 'listAttachments'>
  readonly baseUrl: URL
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'receivedEmails' | 'sentEmails'>
  readonly contents: Contents
  readonly originals: Originals
  readonly abilities: Abilities
  readonly hub: Pick<EventHub, 'attachments'>
  readonly clock?: Clock
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}): Attachments => {
  const underWay = new Map<string, Fetching>()
  /** What the disk had no room for: the last of it, so that it can be looked at and saved elsewhere all the same. */
  let unkept: { readonly key: string; readonly content: Content } | null = null

  const goneEmail = (): ProblemError => problem('not_found', 'This message is no longer here.')

  const keptList = async (key: string): Promise<readonly Attachment[] | null> => {
    const kept = await contents.get(key)
    return kept === null ? null : (JSON.parse(new TextDecoder().decode(kept.bytes)) as readonly Attachment[])
  }
  const keepList = async (key: string, attachments: readonly Attachment[]): Promise<void> => {
    const bytes = new TextEncoder().encode(JSON.stringify(attachments))
    await contents.put(key, bytes, { contentType: 'application/json' })
  }
  const fetchSentList = async (emailId: string, effort: OriginalEffort): Promise<readonly Attachment[]> => {
    if (effort === 'onlyHere') throw problem('unreachable', SENT_UNKNOWN)
    const listed = await platform
      .listAttachments('sent', emailId, { priority: effort, signal })
      .catch((thrown: unknown) => {
        if (lacksOperation(thrown)) return null
        throw saying(thrown, { unreachable: SENT_UNKNOWN })
      })
    // A platform that does not tell of them has none to fetch.
    if (listed === null) return []
    const attachments = listed.map(({ downloadUrl: _url, ...attachment }) => attachment)
    await keepList(sentAttachmentsKey(emailId), attachments).catch(report)
    return attachments
  }

  const ownerOf = async (of: BodyOwner, effort: OriginalEffort = 'action'): Promise<Owner> => {
    if (of.list === 'threads') {
      const email = threadEmailOf(cache, of)
      if (email === undefined) throw goneEmail()
      const kind = email.direction === 'outbound' ? 'sent' : 'received'
      return { attachments: email.attachments, kind, onServer: email.onServer }
    }
    if (of.list === 'received') {
      const email = cache.receivedEmails.get(of.emailId)
      if (email === undefined) throw goneEmail()
      return { attachments: email.attachments, kind: 'received', onServer: email.onServer }
    }
    const attachments = (await keptList(sentAttachmentsKey(of.emailId))) ?? (await fetchSentList(of.emailId, effort))
    return { attachments, kind: 'sent', onServer: true }
  }

  /** The same attachments as the account's own list has them, which says their types (platform facts 3.4, 7). */
  const receivedAttachmentsOf = (of: BodyOwner): readonly Attachment[] => {
    const email = threadEmailOf(cache, of)
    return email === undefined ? [] : (asReceived(cache.receivedEmails, email)?.attachments ?? [])
  }
  /** Attachments with their types, as far as anything here says them, and a name each. */
  const described = (of: BodyOwner, attachments: readonly Attachment[]): readonly Attachment[] => {
    const received = attachments.some(({ contentType }) => contentType === null) ? receivedAttachmentsOf(of) : []
    return attachments.map((attachment) => {
      const { id, filename } = attachment
      const contentType =
        [attachment, received.find((other) => other.id === id), contents.look(attachmentKey(of, id))]
          .map((each) => each?.contentType ?? null)
          .find((type) => knownType(type) !== '') ?? attachment.contentType
      const isNamed = safeFilename(filename ?? '') !== ''
      return {
        ...attachment,
        contentType,
        filename: isNamed ? filename : attachmentFilename({ filename, contentType }),
      }
    })
  }

  /** The files within those of an e-mail, as far as they are here. */
  const filesWithin = async (of: BodyOwner, attachments: readonly Attachment[]): Promise<readonly Attachment[]> => {
    const lists = attachments.map(({ id }) => filesWithinKey(of, id)).filter((key) => contents.has(key))
    const files = (await Promise.all(lists.map(keptList))).flatMap((list) => list ?? [])
    return files.filter(({ id }) => contents.has(attachmentKey(of, id)))
  }
  /** All of an e-mail that can be opened. */
  const allOf = async (of: BodyOwner, effort: OriginalEffort): Promise<readonly Attachment[]> => {
    const { attachments } = await ownerOf(of, effort)
    return described(of, [...attachments, ...(await filesWithin(of, attachments))])
  }

  const placeOf = ({ attachments }: Pick<Owner, 'attachments'>, attachmentId: string): number => {
    const place = attachments.findIndex(({ id }) => id === attachmentId)
    if (place === -1) throw problem('not_found', 'This message has no such attachment.')
    return place
  }

  const download = async (
    kind: EmailKind,
    emailId: string,
    attachmentId: string,
    ending: AbortSignal,
    progress: DownloadProgress,
    priority: Priority,
  ): Promise<Fetched> => {
    const fetchOnce = async (): Promise<Fetched> => {
      const asking = platform.getAttachment(kind, emailId, attachmentId, { priority, signal: ending })
      const { downloadUrl, contentType } = await asking
      if (downloadUrl === null || downloadUrl === '') throw problem('not_found', WORDS.not_found)
      try {
        return { bytes: await downloadSigned(downloadUrl, baseUrl, ending, LIMITS, progress), contentType }
      } catch (thrown) {
        throw isExpired(thrown) ? new ExpiredLink() : thrown
      }
    }
    try {
      return await fetchOnce()
    } catch (thrown) {
      if (!(thrown instanceof ExpiredLink)) throw thrown
    }
    try {
      return await fetchOnce()
    } catch (thrown) {
      throw thrown instanceof ExpiredLink ? problem('platform_failed', BROKEN_LINK) : thrown
    }
  }

  /** @returns whether it could not be reached where it did not give the bytes */
  const fromPlatform = async (
    of: BodyOwner,
    { kind, onServer }: Owner,
    attachmentId: string,
    ending: AbortSignal,
    progress: DownloadProgress,
    effort: OriginalEffort,
  ): Promise<Fetched | 'not reached' | 'not offered'> => {
    if (effort === 'onlyHere') return 'not reached'
    const isOfThread = of.list === 'threads'
    const ability = 'retrieve thread attachments'
    if (!isOwnId(attachmentId) || (isOfThread && !abilities.isWorthAsking(ACCOUNT, ability))) return 'not offered'
    const askedAt = clock.elapsed()
    try {
      const fetched = await download(kind, of.emailId, attachmentId, ending, progress, effort)
      if (isOfThread) abilities.offered(ACCOUNT, ability)
      return fetched
    } catch (thrown) {
      ending.throwIfAborted()
      const isUnreachable = thrown instanceof ProblemError && thrown.problem.code === 'unreachable'
      const isMissing =
        lacksOperation(thrown) || (thrown instanceof ProblemError && thrown.problem.code === 'not_found')
      if (!isUnreachable && !isMissing) throw thrown
      // Of an e-mail that is gone from the platform, a 404 says nothing about what it offers.
      if (isOfThread && onServer && lacksOperation(thrown)) abilities.refused(ACCOUNT, ability, askedAt)
      return isUnreachable ? 'not reached' : 'not offered'
    }
  }

  /** Takes the original apart, and keeps all of the e-mail's attachments that are in it. */
  const fromOriginal = async (
    of: BodyOwner,
    owner: Owner,
    place: number,
    ending: AbortSignal,
    effort: OriginalEffort,
  ): Promise<Fetched> => {
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

  const fetchBytes = async (
    of: BodyOwner,
    owner: Owner,
    place: number,
    ending: AbortSignal,
    progress: DownloadProgress,
    effort: OriginalEffort,
  ): Promise<Fetched> => {
    const attachmentId = owner.attachments[place]?.id ?? ''
    // An original that is here is not fetched again in parts.
    let failure: Error | null = null
    if (originals.isHere(of)) {
      try {
        return await fromOriginal(of, owner, place, ending, effort)
      } catch (thrown) {
        ending.throwIfAborted()
        failure = thrown instanceof Error ? thrown : new Error(String(thrown))
      }
    }
    const answer = await fromPlatform(of, owner, attachmentId, ending, progress, effort)
    if (typeof answer === 'object') return answer
    try {
      if (failure !== null) throw failure
      return await fromOriginal(of, owner, place, ending, effort)
    } catch (thrown) {
      ending.throwIfAborted()
      if (toProblem(thrown).code !== 'not_found') throw thrown
      throw answer === 'not reached' ? problem('unreachable', WORDS.unreachable) : problem('not_found', NOT_OFFERED)
    }
  }

  const tellFrom = (key: string, emailId: string): DownloadProgress => {
    let toldAt = 0
    return (done, total) => {
      const fetching = underWay.get(key)
      if (fetching === undefined) return
      Object.assign(fetching, { done, total })
      if (clock.elapsed() - toldAt < TOLD_EVERY_MS) return
      toldAt = clock.elapsed()
      hub.attachments(emailId)
    }
  }

  const here = async (key: string): Promise<Content | null> =>
    (await contents.get(key)) ?? (unkept?.key === key ? unkept.content : null)

  const fetchAndKeep = async (
    of: BodyOwner,
    attachmentId: string,
    ending: AbortSignal,
    effort: OriginalEffort,
  ): Promise<Content> => {
    const key = attachmentKey(of, attachmentId)
    const kept = await here(key)
    if (kept !== null) return kept
    const owner = await ownerOf(of, effort)
    const place = placeOf(owner, attachmentId)
    const fetched = await fetchBytes(of, owner, place, ending, tellFrom(key, of.emailId), effort)
    const { bytes } = fetched
    const contentType = typeOf(owner.attachments[place], fetched)
    try {
      return { ...(await contents.put(key, bytes, { contentType })), bytes }
    } catch (thrown) {
      ending.throwIfAborted()
      report(thrown)
      unkept = { key, content: { digest: await digestOf(bytes), bytes, contentType, fetchedAt: clock.now() } }
      return unkept.content
    }
  }

  const inWords = (thrown: unknown): unknown =>
    saying(thrown, isNotFound(thrown) ? WORDS : { unreachable: WORDS.unreachable })

  return {
    list: async (of, effort = 'action') => {
      try {
        const attachments = await allOf(of, effort)
        const isOriginalHere = attachments.length > 0 && originals.isHere(of)
        const items = attachments.map((attachment): ListedAttachment => {
          const key = attachmentKey(of, attachment.id)
          const fetching = underWay.get(key)
          return {
            ...attachment,
            isHere: isOriginalHere || contents.has(key) || unkept?.key === key,
            fetching: fetching === undefined ? null : { done: fetching.done, total: fetching.total ?? attachment.size },
          }
        })
        return { items, problem: null }
      } catch (thrown) {
        if (!(thrown instanceof ProblemError)) throw thrown
        return { items: [], problem: thrown.problem }
      }
    },
    find: async (of, attachmentId) => {
      const attachments = await allOf(of, 'action')
      const found = attachments[placeOf({ attachments }, attachmentId)]
      if (found === undefined) throw goneEmail()
      return found
    },
    fetch: async (of, attachmentId, effort = 'action') => {
      const key = attachmentKey(of, attachmentId)
      const begun = underWay.get(key)
      if (begun !== undefined) return begun.content
      if (effort === 'onlyHere') return fetchAndKeep(of, attachmentId, signal, effort)
      const ending = new AbortController()
      const content = fetchAndKeep(of, attachmentId, AbortSignal.any([signal, ending.signal]), effort)
        .catch((thrown: unknown) => {
          throw inWords(thrown)
        })
        .finally(() => {
          underWay.delete(key)
          hub.attachments(of.emailId)
        })
      underWay.set(key, { ending, content, done: 0, total: null })
      hub.attachments(of.emailId)
      return content
    },
    piece: async (of, attachmentId, version, from, length) => {
      const key = attachmentKey(of, attachmentId)
      if (unkept?.key === key && unkept.content.digest === version)
        return unkept.content.bytes.subarray(from, from + length)
      return contents.look(key)?.digest === version ? contents.piece(key, from, length) : null
    },
    keepWithin: async (of, attachmentId, files) => {
      const list: Attachment[] = []
      for (const [place, { filename, contentType, contentId, bytes }] of files.entries()) {
        const id = idWithin(attachmentId, place)
        const key = attachmentKey(of, id)
        list.push({ id, filename, size: bytes.byteLength, contentType, contentId })
        if (!contents.has(key)) await contents.put(key, bytes, { contentType })
      }
      if (list.length === 0 || contents.has(filesWithinKey(of, attachmentId))) return
      await keepList(filesWithinKey(of, attachmentId), list)
      hub.attachments(of.emailId)
    },
    cancel: (of, attachmentId) => {
      underWay.get(attachmentKey(of, attachmentId))?.ending.abort(problem('cancelled', CANCELLED))
    },
  }
}
