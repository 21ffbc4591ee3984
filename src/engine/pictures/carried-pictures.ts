import { bareContentId, contentIdIn, nameWithin } from '../../shared/carried-picture.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { decodePercent } from '../../shared/decode-percent.ts'
import { ProblemError } from '../../shared/result.ts'
import type { EmailKind } from '../api/attachments.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { carriedKey } from '../attachments/attachment-keys.ts'
import type { AttachmentPart } from '../attachments/attachment-parts.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { Contents } from '../contents/contents.ts'
import type { Originals } from '../originals/originals.ts'
import { problem, saying } from '../saying.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptEmail } from '../store/emails.ts'
import { asReceived } from '../store/received-copy.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import type { Abilities } from '../sync/abilities.ts'
import { askIfOffered } from '../sync/ask-if-offered.ts'
import { asPicture, PICTURE_LIMITS, type FetchedPicture } from './fetch-picture.ts'
import { createRecent } from '../timing/recent.ts'

/** A part of an e-mail, as far as the HTML may name it. */
interface Nameable {
  readonly filename: string | null
  readonly contentId?: string | null
  readonly contentLocation?: string | null
}

/** A part that was found in an original. */
interface FoundPart extends Nameable {
  readonly bytes: number
  /** By which its bytes are kept. */
  readonly name: string
}

export interface CarriedPictures {
  /**
   * A picture that an e-mail carries and names by its Content-ID (RFC 2392), by the address at which it says to be, or by
   * its file's name (RFC 2557): from this computer, else as that attachment, else out of the original. What was fetched is
   * kept. Of an e-mail without files no original is fetched for a name alone.
@throws ProblemError `not_found` where the e-mail has none, `unreachable` where it is not here and cannot be fetched,
   * `refused` for what is no picture that is shown; what `Attachments.fetch` throws
   */
  readonly read: (of: BodyOwner, written: string) => Promise<FetchedPicture>
  /**
   * Of some addresses of the web those at which parts of an e-mail say to be. Its original is looked into where one of its
   * files has the name at the end of such an address, and nothing else names it.
   */
  readonly located: (of: BodyOwner, addresses: ReadonlySet<string>) => Promise<readonly string[]>
}

/** E-mails of which is remembered what their platform and their originals say that they carry. */
const REMEMBERED = 50

const WORDS = {
  unreachable: 'You are offline, and this picture is not on this computer yet. Go online to download it.',
  not_found: 'This picture is not in the message.',
} as const

const tooLarge = () => problem('refused', 'This picture is too large to show. Open it as an attachment.')

/** What stands at the end of a name or an address. */
const fileNamed = (name: string): string =>
  decodePercent((URL.canParse(name) ? new URL(name).pathname : name).split(/[\\/]/).at(-1) ?? '')

const addressOf = (location: string): string => (URL.canParse(location) ? new URL(location).href : location)

/** Names of files that came without one (`shared/attachment-filename.ts`). */
const NAMELESS = /^attachment\.\w+$/

/** The name in an address of a picture, as the HTML writes it. */
const nameOf = (written: string): string => contentIdIn(written) ?? nameWithin(written) ?? written

/** In which ways a part is the one that the HTML names, the surest first. */
const WAYS: readonly ((part: Nameable, name: string) => boolean)[] = [
  ({ contentId }, name) => bareContentId(contentId) === name,
  // Programs that pass mail on do not all keep the letters as they were.
  ({ contentId }, name) => bareContentId(contentId).toLowerCase() === name.toLowerCase(),
  ({ contentLocation }, name) => (contentLocation ?? '') !== '' && addressOf(contentLocation ?? '') === addressOf(name),
  ({ filename }, name) => (filename ?? '') !== '' && filename === fileNamed(name),
]

const findBy = <Thing extends Nameable>(things: readonly Thing[], name: string): Thing | undefined => {
  for (const is of WAYS) {
    const found = things.find((each) => is(each, name))
    if (found !== undefined) return found
  }
  return undefined
}

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
}): CarriedPictures => {
  /** What the platform lists for an e-mail of a thread, by the e-mail; null where it does not. */
  const listed = createRecent<Promise<readonly Attachment[] | null>>(REMEMBERED)
  /** What can be named in the original of an e-mail. */
  const inOriginal = createRecent<Promise<readonly FoundPart[]>>(REMEMBERED)

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
    name: string,
  ): Promise<{ readonly of: BodyOwner; readonly attachment: Attachment } | null> => {
    const own = findBy((await attachments.list(of)).items, name)
    if (own !== undefined) return { of, attachment: own }
    const email = threadEmailOf(cache, of)
    if (email === undefined) return null
    const copy = asReceived(cache.receivedEmails, email)
    const ofCopy = findBy(copy?.attachments ?? [], name)
    if (copy !== undefined && ofCopy !== undefined) {
      return { of: { list: 'received', emailId: copy.id }, attachment: ofCopy }
    }
    const asked = findBy(await listOf(email), name)
    // What is fetched is what the e-mail itself is known to have.
    const known = email.attachments.find(({ id }) => id === asked?.id)
    return known === undefined ? null : { of, attachment: known }
  }

  const keep = async (of: BodyOwner, name: string, bytes: Uint8Array): Promise<void> => {
    await contents.put(carriedKey(of, name), bytes, { contentType: null }).catch((thrown: unknown) => {
      signal.throwIfAborted()
      report(thrown)
    })
  }

  /** Takes the original apart, and keeps all pictures in it that can be named. */
  const takeApart = async (of: BodyOwner): Promise<readonly FoundPart[]> => {
    const { content } = await originals.read(of)
    const found: FoundPart[] = []
    for (const { filename, contentId, contentLocation, contentType, bytes } of await readParts(content, signal)) {
      const id = bareContentId(contentId)
      const name = [id, contentLocation, filename].find((each) => (each ?? '') !== '') ?? null
      if (name === null || (id === '' && !contentType.startsWith('image/'))) continue
      if (bytes.byteLength <= PICTURE_LIMITS.bytes) await keep(of, name, bytes)
      found.push({ filename, contentId, contentLocation, bytes: bytes.byteLength, name })
    }
    return found
  }
  const partsOf = (of: BodyOwner): Promise<readonly FoundPart[]> => {
    const key = JSON.stringify(of)
    const known = inOriginal.get(key)
    if (known !== undefined) return known
    const asked = inOriginal.put(key, takeApart(of))
    // Asked again with the next picture.
    asked.catch(() => inOriginal.drop(key))
    return asked
  }
  const fromOriginal = async (of: BodyOwner, name: string): Promise<Uint8Array> => {
    const found = findBy(await partsOf(of), name)
    if (found === undefined) throw problem('not_found', WORDS.not_found)
    if (found.bytes > PICTURE_LIMITS.bytes) throw tooLarge()
    const kept = await contents.get(carriedKey(of, found.name))
    if (kept !== null) return kept.bytes
    inOriginal.drop(JSON.stringify(of))
    throw problem('storage_failed', 'This picture could not be saved to your disk.')
  }

  const fetch = async (of: BodyOwner, written: string): Promise<Uint8Array> => {
    const name = nameOf(written)
    // An address of the web is a part's own word, which only the original has.
    if (URL.canParse(name)) return fromOriginal(of, name)
    const found = await attachmentFor(of, name)
    if (found !== null) {
      // What says itself that it is too large is not fetched for that.
      if ((found.attachment.size ?? 0) > PICTURE_LIMITS.bytes) {
        throw tooLarge()
      }
      return (await attachments.fetch(found.of, found.attachment.id)).bytes
    }
    const isNameAlone = contentIdIn(written) === null
    if (isNameAlone && (await attachments.list(of)).items.length === 0) throw problem('not_found', WORDS.not_found)
    return fromOriginal(of, name)
  }

  return {
    read: async (of, written) => {
      const name = nameOf(written)
      const kept = await contents.get(carriedKey(of, name))
      if (kept !== null) return asPicture(kept.bytes)
      try {
        const bytes = await fetch(of, written)
        const picture = asPicture(bytes)
        await keep(of, name, bytes)
        return picture
      } catch (thrown) {
        throw saying(thrown, WORDS)
      }
    },
    located: async (of, addresses) => {
      if (of.list === 'sent' || addresses.size === 0) return []
      const ends = new Set([...addresses].map(fileNamed))
      const { items } = await attachments.list(of, 'onlyHere')
      const mayBeLocated = items.some(
        ({ filename, contentId }) =>
          bareContentId(contentId) === '' && (ends.has(filename ?? '') || NAMELESS.test(filename ?? '')),
      )
      if (!mayBeLocated) return []
      const locations = new Set((await partsOf(of)).map(({ contentLocation }) => addressOf(contentLocation ?? '')))
      return [...addresses].filter((address) => locations.has(address))
    },
  }
}
