import { normalizeContentId, parseCidUrl, parseEmbeddedFilename } from '../../../shared/embedded-picture.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import { decodePercent } from '../../../shared/decode-percent.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { inlinePictureKey } from '../../store/attachment-keys.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { RawMessages } from '../../sync/raw-messages.ts'
import { withMessage } from '../../platform/problem.ts'
import type { CachedEmail } from '../../store/emails.ts'
import { findReceivedEmail } from '../../store/same-message.ts'
import { findThreadEmail } from '../../store/thread-email.ts'
import { validatePicture, PICTURE_LIMITS, type FetchedPicture } from './fetch-picture.ts'
import { createResultCache } from '../../timing/recent-map.ts'
import type { AccountServices } from '../../sync/account-services.ts'

/** Names that HTML can use to refer to an attachment. */
interface Nameable {
  readonly filename: string | null
  readonly contentId?: string | null
  readonly contentLocation?: string | null
}

interface FoundPart extends Nameable {
  readonly bytes: number
  /** Name under which the part is stored. */
  readonly name: string
}

/** Maximum number of e-mails remembered, for the platform's attachment lists and for parts of raw sources. */
const REMEMBERED = 50

const MESSAGES = {
  unreachable: 'You are offline, and this picture is not on this computer yet. Go online to download it.',
  not_found: 'This picture is not in the message.',
} as const

const tooLarge = () => createProblem('refused', 'This picture is too large to show. Open it as an attachment.')

const filenameIn = (name: string): string =>
  decodePercent((URL.canParse(name) ? new URL(name).pathname : name).split(/[\\/]/).at(-1) ?? '')

const addressOf = (location: string): string => (URL.canParse(location) ? new URL(location).href : location)

/** Generated names of unnamed files (`shared/attachment-filename.ts`). */
const NAMELESS = /^attachment\.\w+$/

const nameOf = (written: string): string => parseCidUrl(written) ?? parseEmbeddedFilename(written) ?? written

/** Tests that match a part with a name in HTML, most reliable first. */
const MATCHERS: readonly ((part: Nameable, name: string) => boolean)[] = [
  ({ contentId }, name) => normalizeContentId(contentId) === name,
  // Some mail relays change the case of Content-IDs.
  ({ contentId }, name) => normalizeContentId(contentId).toLowerCase() === name.toLowerCase(),
  ({ contentLocation }, name) => (contentLocation ?? '') !== '' && addressOf(contentLocation ?? '') === addressOf(name),
  ({ filename }, name) => (filename ?? '') !== '' && filename === filenameIn(name),
]

const findByName = <Thing extends Nameable>(things: readonly Thing[], name: string): Thing | undefined => {
  for (const is of MATCHERS) {
    const found = things.find((each) => is(each, name))
    if (found !== undefined) return found
  }
  return undefined
}

interface InlinePicturesParts extends Pick<
  AccountServices,
  'platform' | 'cache' | 'blobs' | 'capabilities' | 'readParts' | 'report' | 'signal'
> {
  readonly attachments: Pick<Attachments, 'list' | 'fetch'>
  readonly rawMessages: Pick<RawMessages, 'read'>
}

export class InlinePictures {
  readonly #parts: InlinePicturesParts
  /** Attachment lists from the platform, by e-mail ID. */
  readonly #listed = createResultCache<readonly Attachment[]>(REMEMBERED)
  readonly #partsByEmail = createResultCache<readonly FoundPart[]>(REMEMBERED)

  constructor(parts: InlinePicturesParts) {
    this.#parts = parts
  }

  /**
   * A picture in the e-mail, found by Content-ID (RFC 2392), location or file name (RFC 2557) among stored files,
   * attachments and parts of the raw source. An e-mail without files doesn't cause a fetch of its raw source just
   * because its HTML names a file. Stores the result.
   * @throws ProblemError `not_found`, `unreachable`, `refused` if not displayable; the errors of `Attachments.fetch`
   */
  async read(of: BodyOwner, written: string): Promise<FetchedPicture> {
    const name = nameOf(written)
    const kept = await this.#parts.blobs.get(inlinePictureKey(of, name))
    if (kept !== null) return validatePicture(kept.bytes)
    try {
      const bytes = await this.#fetch(of, written)
      const picture = validatePicture(bytes)
      await this.#storePicture(of, name, bytes)
      return picture
    } catch (thrown) {
      throw withMessage(thrown, MESSAGES)
    }
  }

  /**
   * The given addresses that parts of the e-mail claim as their location. Reads the raw source only if an attachment
   * may have one: a file without Content-ID whose name matches, or that has no name.
   */
  async located(of: BodyOwner, addresses: ReadonlySet<string>): Promise<readonly string[]> {
    if (of.list === 'sent' || addresses.size === 0) return []
    const ends = new Set([...addresses].map(filenameIn))
    const { items } = await this.#parts.attachments.list(of, 'localOnly')
    const mayBeLocated = items.some(
      ({ filename, contentId }) =>
        normalizeContentId(contentId) === '' && (ends.has(filename ?? '') || NAMELESS.test(filename ?? '')),
    )
    if (!mayBeLocated) return []
    const parts = await this.#partsOf(of)
    const locations = new Set(parts.map(({ contentLocation }) => addressOf(contentLocation ?? '')))
    return [...addresses].filter((address) => locations.has(address))
  }

  async #fetch(of: BodyOwner, written: string): Promise<Uint8Array> {
    const { attachments } = this.#parts
    const name = nameOf(written)
    // A web address can only match a part's Content-Location, which only the raw source has.
    if (URL.canParse(name)) return this.#fromOriginal(of, name)
    const found = await this.#attachmentFor(of, name)
    if (found !== null) {
      if ((found.attachment.size ?? 0) > PICTURE_LIMITS.bytes) throw tooLarge()
      return (await attachments.fetch(found.of, found.attachment.id)).bytes
    }
    const isNameAlone = parseCidUrl(written) === null
    if (isNameAlone && (await attachments.list(of)).items.length === 0)
      throw createProblem('not_found', MESSAGES.not_found)
    return this.#fromOriginal(of, name)
  }

  async #attachmentFor(
    of: BodyOwner,
    name: string,
  ): Promise<{ readonly of: BodyOwner; readonly attachment: Attachment } | null> {
    const { attachments, cache } = this.#parts
    const own = findByName((await attachments.list(of)).items, name)
    if (own !== undefined) return { of, attachment: own }
    const email = findThreadEmail(cache, of)
    if (email === undefined) return null
    const copy = findReceivedEmail(cache.receivedEmails, email)
    const ofCopy = findByName(copy?.attachments ?? [], name)
    if (copy !== undefined && ofCopy !== undefined) {
      return { of: { list: 'received', emailId: copy.id }, attachment: ofCopy }
    }
    const asked = findByName(await this.#listOf(email), name)
    // Fetch only attachments that the e-mail itself lists.
    const known = email.attachments.find(({ id }) => id === asked?.id)
    return known === undefined ? null : { of, attachment: known }
  }

  /** Attachments in thread responses lack the Content-IDs that HTML uses (platform.md 12.1). */
  async #listOf({ id, direction, onServer }: CachedEmail): Promise<readonly Attachment[]> {
    const { capabilities, platform, signal } = this.#parts
    const kind = direction === 'outbound' ? 'sent' : 'received'
    const ask = () => platform.listAttachments(kind, id, { priority: 'action', signal })
    const rules = { isEvidence: onServer }
    try {
      return await this.#listed.get(
        id,
        async () => (await capabilities.attempt('retrieve thread attachments', ask, rules)) ?? [],
      )
    } catch (thrown) {
      if (thrown instanceof ProblemError) return []
      throw thrown
    }
  }

  async #fromOriginal(of: BodyOwner, name: string): Promise<Uint8Array> {
    const found = findByName(await this.#partsOf(of), name)
    if (found === undefined) throw createProblem('not_found', MESSAGES.not_found)
    if (found.bytes > PICTURE_LIMITS.bytes) throw tooLarge()
    const kept = await this.#parts.blobs.get(inlinePictureKey(of, found.name))
    if (kept !== null) return kept.bytes
    this.#partsByEmail.drop(JSON.stringify(of))
    throw createProblem('storage_failed', 'This picture could not be saved to your disk.')
  }

  #partsOf(of: BodyOwner): Promise<readonly FoundPart[]> {
    return this.#partsByEmail.get(JSON.stringify(of), () => this.#splitOriginal(of))
  }

  /** Splits the raw source and stores all named pictures. */
  async #splitOriginal(of: BodyOwner): Promise<readonly FoundPart[]> {
    const { rawMessages, readParts, signal } = this.#parts
    const { content } = await rawMessages.read(of)
    const found: FoundPart[] = []
    for (const { filename, contentId, contentLocation, contentType, bytes } of await readParts(content, signal)) {
      const id = normalizeContentId(contentId)
      const name = [id, contentLocation, filename].find((each) => (each ?? '') !== '') ?? null
      if (name === null || (id === '' && !contentType.startsWith('image/'))) continue
      if (bytes.byteLength <= PICTURE_LIMITS.bytes) await this.#storePicture(of, name, bytes)
      found.push({ filename, contentId, contentLocation, bytes: bytes.byteLength, name })
    }
    return found
  }

  async #storePicture(of: BodyOwner, name: string, bytes: Uint8Array): Promise<void> {
    const { blobs, signal, report } = this.#parts
    await blobs.put(inlinePictureKey(of, name), bytes, { contentType: null }).catch((thrown: unknown) => {
      signal.throwIfAborted()
      report(thrown)
    })
  }
}
