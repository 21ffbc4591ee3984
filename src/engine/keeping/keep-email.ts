import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import type { EmailKind, FetchedAttachment } from '../api/attachments.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, lacksOperation, PlatformRefusal } from '../api/platform-problem.ts'
import { downloadSigned, DownloadTooLarge, isExpired, LIMITS } from '../api/raw-download.ts'
import { attachmentKey, sentAttachmentsKey } from '../attachments/attachment-keys.ts'
import { findPart, type AttachmentPart } from '../attachments/attachment-parts.ts'
import type { Contents } from '../contents/contents.ts'
import { originalKey } from '../originals/original-key.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptEmail } from '../store/emails.ts'
import type { EmailToKeep, KeptState } from '../store/keeping-rows.ts'
import { receivedCopyOf } from '../store/received-copy.ts'
import { ACCOUNT, type Abilities } from '../sync/abilities.ts'
import type { Room } from './room.ts'
import type { Clock } from '../timing/clock.ts'

/** There is no room for a file within what the person chose. */
class NoRoom extends Error {}
/** The platform does not give something of an e-mail, and is not going to. */
class NotGiven extends Error {}

/** Tries of a download that the platform refuses under a fresh address: then it is not asked again. */
const MOST_REFUSALS = 3

export interface EmailKeeper {
  /**
   * Has everything here that the platform gives of an e-mail: its text, its original, its attachments. Asks for nothing
   * that is here: a received e-mail that is new takes one request, which brings its text and the address of its original,
   * in which its attachments are; a sent one takes two and each of its attachments a download.
   * @returns how it ended
   * @throws ProblemError for what may pass by itself, `storage_failed` for a disk that takes no more
   */
  readonly keep: (email: EmailToKeep) => Promise<KeptState>
}

/** The original of an e-mail: the key of its bytes, where they are here. */
type Original = { readonly key: string } | 'not given' | 'no room'

export const createEmailKeeper = ({
  platform,
  baseUrl,
  cache,
  contents,
  abilities,
  room,
  readParts,
  received,
  sent,
  clock,
  signal,
}: {
  readonly platform: Pick<MailPlatform, 'getReceivedEmail' | 'getSentEmail' | 'listAttachments'>
  readonly baseUrl: URL
  readonly cache: Pick<Cache, 'emails' | 'receivedEmails' | 'sentEmails' | 'keeping'>
  readonly contents: Pick<Contents, 'get' | 'put' | 'has'>
  readonly abilities: Abilities
  readonly room: Room
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  /** Called when one of the account's e-mails is another than before. */
  readonly received: () => void
  readonly sent: () => void
  readonly clock: Clock
  readonly signal: AbortSignal
}): EmailKeeper => {
  const options = { priority: 'keep', signal } as const
  /** E-mails that are being kept, by their own IDs. */
  const underWay = new Map<string, Promise<void>>()

  /** @throws NotGiven for what the platform refuses for good, NoRoom */
  const download = async (link: string, failures: number): Promise<Uint8Array> => {
    const bytes = Math.min(LIMITS.bytes, room.left())
    if (bytes <= 0) throw new NoRoom()
    try {
      return await downloadSigned(link, baseUrl, signal, { ...LIMITS, bytes })
    } catch (thrown) {
      if (thrown instanceof DownloadTooLarge && bytes < LIMITS.bytes) throw new NoRoom()
      if (isExpired(thrown)) {
        // Of an address that is fresh: asked for again with another one later, but not for ever.
        if (failures + 1 >= MOST_REFUSALS) throw new NotGiven()
        throw new ProblemError({ code: 'platform_failed', message: 'The platform gave a link that does not work.' })
      }
      if (thrown instanceof ProblemError && thrown.problem.code === 'refused') throw new NotGiven()
      throw thrown
    }
  }

  const put = async (key: string, bytes: Uint8Array, contentType: string | null): Promise<void> => {
    const release = room.take(bytes.byteLength)
    if (release === null) throw new NoRoom()
    let isWritten = false
    try {
      await contents.put(key, bytes, { contentType })
      isWritten = true
    } finally {
      release(isWritten)
    }
  }

  /** Runs a request of which a refusal is an answer: the platform does not have it, or does not give it. */
  const unlessRefused = async <Value extends object>(
    ask: () => Promise<Value>,
  ): Promise<Value | 'gone' | 'refused'> => {
    try {
      return await ask()
    } catch (thrown) {
      if (isNotFound(thrown)) return 'gone'
      if (thrown instanceof PlatformRefusal && thrown.problem.code === 'refused') return 'refused'
      throw thrown
    }
  }
  const isGiven = <Value extends object>(answer: Value | 'gone' | 'refused'): answer is Value =>
    typeof answer === 'object'

  /** The attachments that the original does not hold. A part that is found there is here with it. */
  const lackingFrom = async (
    original: Original,
    of: BodyOwner,
    attachments: readonly Attachment[],
  ): Promise<readonly Attachment[]> => {
    const lacking = attachments.filter(({ id }) => !contents.has(attachmentKey(of, id)))
    if (lacking.length === 0 || typeof original === 'string') return lacking
    const bytes = (await contents.get(original.key))?.bytes
    if (bytes === undefined) return lacking
    const parts = await readParts(bytes, signal).catch((thrown: unknown) => {
      signal.throwIfAborted()
      if (toProblem(thrown).code === 'refused') return []
      throw thrown
    })
    return lacking.filter((attachment) => findPart(attachments, attachments.indexOf(attachment), parts) === null)
  }

  /** Downloads attachments from the addresses of the platform's list. @returns how it ended */
  const keepListed = async (
    of: BodyOwner,
    wanted: readonly Attachment[],
    listed: readonly FetchedAttachment[],
    failures: number,
  ): Promise<KeptState> => {
    let state: KeptState = 'whole'
    for (const { id, contentType } of wanted) {
      const key = attachmentKey(of, id)
      if (contents.has(key)) continue
      const found = listed.find((other) => other.id === id)
      const link = found?.downloadUrl ?? ''
      try {
        if (link === '') throw new NotGiven()
        await put(key, await download(link, failures), contentType ?? found?.contentType ?? null)
      } catch (thrown) {
        if (thrown instanceof NoRoom) return 'no room'
        if (!(thrown instanceof NotGiven)) throw thrown
        state = 'in part'
      }
    }
    return state
  }

  const keepAttachments = async (
    kind: EmailKind,
    of: BodyOwner,
    attachments: readonly Attachment[],
    original: Original,
    { failures, onServer }: Pick<EmailToKeep, 'failures' | 'onServer'>,
  ): Promise<KeptState> => {
    const lacking = await lackingFrom(original, of, attachments)
    if (lacking.length === 0) return 'whole'
    if (room.left() <= 0) return 'no room'
    const isOfThread = of.list === 'threads'
    const ability = 'retrieve thread attachments'
    if (!onServer || (isOfThread && !abilities.isWorthAsking(ACCOUNT, ability))) return 'in part'
    const askedAt = clock.elapsed()
    const listed = await unlessRefused(() => platform.listAttachments(kind, of.emailId, options))
    if (isOfThread) {
      if (isGiven(listed)) abilities.offered(ACCOUNT, ability)
      else abilities.refused(ACCOUNT, ability, askedAt)
    }
    return isGiven(listed) ? keepListed(of, lacking, listed, failures) : 'in part'
  }

  /** Downloads an original from an address that has just been given. */
  const keepOriginal = async (receivedId: string, link: string | null, failures: number): Promise<Original> => {
    const key = originalKey(receivedId)
    if (link === null || link === '') return 'not given'
    try {
      await put(key, await download(link, failures), 'message/rfc822')
      return { key }
    } catch (thrown) {
      if (thrown instanceof NoRoom) return 'no room'
      if (thrown instanceof NotGiven) return 'not given'
      throw thrown
    }
  }

  /** Of two endings, the one that leaves more undone. */
  const worse = (original: Original, attachments: KeptState): KeptState => {
    if (original === 'no room' || attachments === 'no room') return 'no room'
    return original === 'not given' ? 'in part' : attachments
  }

  const keepReceived = async ({ id, onServer, failures }: EmailToKeep): Promise<KeptState> => {
    const key = originalKey(id)
    let isThere = onServer
    let link: string | null = null
    const ask = async (): Promise<void> => {
      const answer = isThere ? await unlessRefused(() => platform.getReceivedEmail(id, options)) : 'refused'
      isThere = isGiven(answer)
      if (answer === 'gone') cache.receivedEmails.markGone(id)
      if (isGiven(answer)) {
        link = answer.rawUrl
        if (cache.receivedEmails.get(id) === undefined) cache.receivedEmails.storeWhole(answer)
      }
      received()
    }
    if (cache.receivedEmails.get(id) === undefined) await ask()
    const email = cache.receivedEmails.get(id)
    if (email === undefined) return 'lost'
    const keepMissing = async (): Promise<Original> => {
      if (contents.has(key)) return { key }
      if (!isThere || !email.hasRaw) return 'not given'
      if (room.left() <= 0) return 'no room'
      if (link === null) await ask()
      return keepOriginal(id, link, failures)
    }
    const original = await keepMissing()
    const of = { list: 'received', emailId: id } as const
    const about = { failures, onServer: isThere }
    return worse(original, await keepAttachments('received', of, email.attachments, original, about))
  }

  const keepSent = async ({ id, onServer, failures }: EmailToKeep): Promise<KeptState> => {
    if (cache.sentEmails.get(id) === undefined) {
      const answer = onServer ? await unlessRefused(() => platform.getSentEmail(id, options)) : 'refused'
      if (answer === 'gone') cache.sentEmails.markGone(id)
      if (isGiven(answer)) cache.sentEmails.storeWhole(answer)
      sent()
      if (!isGiven(answer)) return 'lost'
    }
    const of = { list: 'sent', emailId: id } as const
    const key = sentAttachmentsKey(id)
    const kept = await contents.get(key)
    const known = kept === null ? null : (JSON.parse(new TextDecoder().decode(kept.bytes)) as readonly Attachment[])
    if (known?.every((attachment) => contents.has(attachmentKey(of, attachment.id))) === true) return 'whole'
    if (!onServer) return 'in part'
    if (known !== null && room.left() <= 0) return 'no room'
    const listed = await unlessRefused(() => platform.listAttachments('sent', id, options))
    // A platform that does not tell of them has none to fetch.
    const attachments = isGiven(listed) ? listed.map(({ downloadUrl: _url, ...attachment }) => attachment) : []
    if (known === null) {
      // Which ones there are is a text: it is kept whatever room there is for files.
      await contents.put(key, new TextEncoder().encode(JSON.stringify(attachments)), {
        contentType: 'application/json',
      })
    }
    return isGiven(listed) ? keepListed(of, attachments, listed, failures) : 'in part'
  }

  /** The original of a thread's e-mail that came in: what the account's list has fetched of it, else by its own ID. */
  const originalOfThread = async (email: KeptEmail, onServer: boolean, failures: number): Promise<Original> => {
    const own = originalKey(email.id)
    if (contents.has(own)) return { key: own }
    const copy = receivedCopyOf(cache.receivedEmails, email)?.id ?? null
    if (copy !== null) {
      cache.keeping.isTwin(copy)
      if (contents.has(originalKey(copy))) return { key: originalKey(copy) }
    }
    if (!onServer) return 'not given'
    if (room.left() <= 0) return 'no room'
    const ability = 'retrieve thread original'
    if (abilities.isWorthAsking(ACCOUNT, ability)) {
      const askedAt = clock.elapsed()
      try {
        const fetched = await platform.getReceivedEmail(email.id, options)
        abilities.offered(ACCOUNT, ability)
        // The account's list has it as well, and has not been there yet: its text comes along.
        const { receivedEmails } = cache
        if (receivedEmails.has(email.id) && receivedEmails.get(email.id) === undefined) {
          receivedEmails.storeWhole(fetched)
          received()
        }
        return await keepOriginal(email.id, fetched.rawUrl, failures)
      } catch (thrown) {
        if (lacksOperation(thrown)) abilities.refused(ACCOUNT, ability, askedAt)
        else if (!isNotFound(thrown) && toProblem(thrown).code !== 'refused') throw thrown
      }
    }
    if (copy === null) return 'not given'
    const fetched = await unlessRefused(() => platform.getReceivedEmail(copy, options))
    return isGiven(fetched) ? keepOriginal(copy, fetched.rawUrl, failures) : 'not given'
  }

  /** Under which ID the account's own list has, or would have, the same e-mail. */
  const ownIdOf = (email: EmailToKeep): string => {
    if (email.list !== 'threads' || cache.receivedEmails.has(email.id)) return email.id
    const place = cache.keeping.threadOf(email.key)
    const inThread = place === undefined ? undefined : cache.emails.get(place.inbox, place.threadId, email.id)
    return inThread === undefined ? email.id : (receivedCopyOf(cache.receivedEmails, inThread)?.id ?? email.id)
  }

  const keepOfThread = async ({ key, id, onServer, failures }: EmailToKeep): Promise<KeptState> => {
    const place = cache.keeping.threadOf(key)
    const email = place === undefined ? undefined : cache.emails.get(place.inbox, place.threadId, id)
    // What cannot be read is fetched again by the repair.
    if (place === undefined || email === undefined) return 'in part'
    const of = { list: 'threads', inboxId: place.inbox.id, threadId: place.threadId, emailId: id } as const
    // The account's own list has it, under the same IDs: it is as far here as it is there.
    const own = cache.keeping.ownState(id)
    if (own !== null) {
      const isInFiles = { key: originalKey(id) }
      const lacking =
        own === 'whole'
          ? await lackingFrom(contents.has(isInFiles.key) ? isInFiles : 'not given', of, email.attachments)
          : []
      if (lacking.length === 0) return own === 'lost' ? 'in part' : own
    }
    if (email.direction === 'outbound') {
      // The platform keeps no original of what was sent: nothing of it is missing with that.
      return keepAttachments('sent', of, email.attachments, 'not given', { failures, onServer })
    }
    const original = await originalOfThread(email, onServer, failures)
    return worse(original, await keepAttachments('received', of, email.attachments, original, { failures, onServer }))
  }

  const keep = (email: EmailToKeep): Promise<KeptState> => {
    switch (email.list) {
      case 'received':
        return keepReceived(email)
      case 'sent':
        return keepSent(email)
      case 'threads':
        return keepOfThread(email)
    }
  }

  return {
    keep: (email) => {
      // What lists and threads show of the same e-mail is fetched once: the second finds it here.
      const id = ownIdOf(email)
      const before = underWay.get(id) ?? Promise.resolve()
      const keeping = before.then(() => keep(email))
      const settled = keeping.then(
        () => undefined,
        () => undefined,
      )
      underWay.set(id, settled)
      void settled.then(() => {
        if (underWay.get(id) === settled) underWay.delete(id)
      })
      return keeping
    },
  }
}
