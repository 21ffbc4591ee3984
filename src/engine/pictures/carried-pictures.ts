import { bareContentId } from '../../shared/carried-picture.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import type { EmailKind, MailPlatform } from '../api/mail-platform.ts'
import { carriedKey } from '../attachments/attachment-keys.ts'
import type { AttachmentPart } from '../attachments/attachment-parts.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { Contents } from '../contents/contents.ts'
import type { Originals } from '../originals/originals.ts'
import { problem, saying } from '../saying.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptEmail } from '../store/emails.ts'
import { receivedCopyOf } from '../store/received-copy.ts'
import { isSameMessage } from '../store/same-message.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import type { Abilities } from '../sync/abilities.ts'
import { askIfOffered } from '../sync/ask-if-offered.ts'
import { asPicture, PICTURE_LIMITS, type FetchedPicture } from './fetch-picture.ts'
import { createRecent } from '../contents/recent.ts'

/**
 * A picture that an e-mail carries and names by its Content-ID (RFC 2392): from this computer, else as the attachment of
 * that ID, else out of the original. What was fetched is kept.
 * @throws ProblemError `not_found` where the e-mail has none, `unreachable` where it is not here and cannot be fetched,
 * `refused` for what is no picture that is shown; what `Attachments.fetch` throws
 */
export type ReadCarriedPicture = (of: BodyOwner, contentId: string) => Promise<FetchedPicture>

/** E-mails of which is remembered what their platform and their originals say that they carry. */
const REMEMBERED = 50

const WORDS = {
  unreachable: 'You are offline, and this picture is not on this computer yet. Go online to fetch it.',
  not_found: 'This picture is not in the e-mail.',
} as const

const tooLarge = () => problem('refused', 'This picture is too large to be shown here. Open it as an attachment.')

/** Programs that pass mail on do not all keep the letters as they were. */
const findBy = <Thing extends { readonly contentId?: string | null }>(
  things: readonly Thing[],
  contentId: string,
): Thing | undefined =>
  things.find((each) => bareContentId(each.contentId) === contentId) ??
  things.find((each) => bareContentId(each.contentId).toLowerCase() === contentId.toLowerCase())

export const createCarriedPictures = ({
  platform,
  cache,
  contents,
  attachments,
  originals,
  readParts,
  abilities,
  signal,
  report,
}: {
  readonly platform: Pick<MailPlatform, 'listAttachments'>
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'receivedEmails'>
  readonly contents: Pick<Contents, 'get' | 'put'>
  readonly attachments: Pick<Attachments, 'list' | 'fetch'>
  readonly originals: Originals
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  readonly abilities: Abilities
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}): ReadCarriedPicture => {
  /** What the platform lists for an e-mail of a thread, by the e-mail; null where it does not. */
  const listed = createRecent<Promise<readonly Attachment[] | null>>(REMEMBERED)
  /** What can be named in the original of an e-mail, with its length. */
  const inOriginal = createRecent<Promise<ReadonlyMap<string, number>>>(REMEMBERED)

  /** The IDs of a thread's attachments come without what the HTML names them by (platform facts 3.4). */
  const askForList = ({ id, direction, onServer }: KeptEmail): Promise<readonly Attachment[] | null> => {
    const kind: EmailKind = direction === 'outbound' ? 'sent' : 'received'
    return askIfOffered(
      abilities,
      'retrieve thread attachments',
      () => platform.listAttachments(kind, id, { priority: 'action', signal }),
      () => null,
      { isEvidence: onServer },
    )
  }
  const listOf = async (email: KeptEmail): Promise<readonly Attachment[]> => {
    const asking = listed.get(email.id) ?? listed.put(email.id, askForList(email))
    try {
      return (await asking) ?? []
    } catch (thrown) {
      // Asked again with the next picture.
      listed.drop(email.id)
      if (thrown instanceof ProblemError) return []
      throw thrown
    }
  }

  /** As whose attachment it can be fetched. */
  const attachmentFor = async (
    of: BodyOwner,
    contentId: string,
  ): Promise<{ readonly of: BodyOwner; readonly attachment: Attachment } | null> => {
    const own = findBy((await attachments.list(of)).items, contentId)
    if (own !== undefined) return { of, attachment: own }
    const email = threadEmailOf(cache, of)
    if (email === undefined) return null
    const same = cache.receivedEmails.get(email.id)
    const copy = same !== undefined && isSameMessage(same, email) ? same : receivedCopyOf(cache.receivedEmails, email)
    const ofCopy = findBy(copy?.attachments ?? [], contentId)
    if (copy !== undefined && ofCopy !== undefined) {
      return { of: { list: 'received', emailId: copy.id }, attachment: ofCopy }
    }
    const asked = findBy(await listOf(email), contentId)
    // What is fetched is what the e-mail itself is known to have.
    const known = email.attachments.find(({ id }) => id === asked?.id)
    return known === undefined ? null : { of, attachment: known }
  }

  const keep = async (of: BodyOwner, contentId: string, bytes: Uint8Array): Promise<void> => {
    await contents.put(carriedKey(of, contentId), bytes, { contentType: null }).catch((thrown: unknown) => {
      signal.throwIfAborted()
      report(thrown)
    })
  }

  /** Takes the original apart, and keeps all pictures in it that can be named. @returns their bytes' lengths by their IDs */
  const takeApart = async (of: BodyOwner): Promise<ReadonlyMap<string, number>> => {
    const { content } = await originals.read(of)
    const parts = await readParts(content, signal)
    const named = parts.map(({ contentId, bytes }) => ({ id: bareContentId(contentId), bytes })).filter(({ id }) => id)
    for (const { id, bytes } of named) if (bytes.byteLength <= PICTURE_LIMITS.bytes) await keep(of, id, bytes)
    return new Map(named.map(({ id, bytes }) => [id, bytes.byteLength]))
  }
  const fromOriginal = async (of: BodyOwner, contentId: string): Promise<Uint8Array> => {
    const key = JSON.stringify(of)
    const sizes = await (inOriginal.get(key) ?? inOriginal.put(key, takeApart(of))).catch((thrown: unknown) => {
      inOriginal.drop(key)
      throw thrown
    })
    const found = findBy(
      [...sizes.keys()].map((id) => ({ contentId: id })),
      contentId,
    )
    if (found === undefined) throw problem('not_found', WORDS.not_found)
    if ((sizes.get(found.contentId) ?? 0) > PICTURE_LIMITS.bytes) throw tooLarge()
    const kept = await contents.get(carriedKey(of, found.contentId))
    if (kept !== null) return kept.bytes
    inOriginal.drop(key)
    throw problem('storage_failed', 'This picture could not be kept on your disk.')
  }

  const fetch = async (of: BodyOwner, contentId: string): Promise<Uint8Array> => {
    const found = await attachmentFor(of, contentId)
    if (found !== null) {
      // What says itself that it is too large is not fetched for that.
      if ((found.attachment.size ?? 0) > PICTURE_LIMITS.bytes) {
        throw tooLarge()
      }
      return (await attachments.fetch(found.of, found.attachment.id)).bytes
    }
    return fromOriginal(of, contentId)
  }

  return async (of, contentId) => {
    const kept = await contents.get(carriedKey(of, contentId))
    if (kept !== null) return asPicture(kept.bytes)
    try {
      const bytes = await fetch(of, contentId)
      const picture = asPicture(bytes)
      await keep(of, contentId, bytes)
      return picture
    } catch (thrown) {
      throw saying(thrown, WORDS)
    }
  }
}
