import type { BodyOwner } from '../../shared/contract.ts'
import type { RawEmail } from '../../shared/engine-link.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import { downloadSigned, isExpired } from '../api/raw-download.ts'
import { problem, saying } from '../saying.ts'
import type { Contents } from '../contents/contents.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptEmail } from '../store/emails.ts'
import { receivedCopyOf } from '../store/received-copy.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import { ACCOUNT, type Abilities } from '../sync/abilities.ts'
import { askIfOffered } from '../sync/ask-if-offered.ts'
import { originalKey } from './original-key.ts'
import { rawFilename } from './raw-filename.ts'

/** How an original is had: `priority` in the request budget, or `onlyHere`, without asking the platform. */
export type OriginalEffort = Priority | 'onlyHere'

/** The originals of an account's e-mails. */
export interface Originals {
  /**
   * The original of a received e-mail (contract, 6: `raw`), or of an e-mail of a thread where the platform gives it
   * (platform facts 3.4): from this computer where it was read before. The signed address of a download is always a
   * fresh one, and is asked for once more where it has run out on the way.
   * @throws ProblemError `not_found` where the platform offers none, `unreachable` where it is not here and cannot be
   * fetched, `refused` for one that is too large or at an address that is not to be trusted
   */
  readonly read: (of: BodyOwner, effort?: OriginalEffort) => Promise<RawEmail>
  /** Whether the original is on this computer. */
  readonly isHere: (of: BodyOwner) => boolean
}

const WORDS = {
  unreachable:
    'You are offline, and the original of this message is not on this computer yet. Go online to download it.',
  not_found: 'The original of this message is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform has no original of this message.'
const SENT = 'You sent this message. The platform keeps no original of it.'
const THREADS_NOT_OFFERED = 'This platform has no originals of messages in threads.'
const NOT_GIVEN = 'The platform did not return the original. Try again later.'
const BROKEN_LINK = 'The platform’s link to the original does not work. Try again later.'

/** Of an e-mail that no list has told of. */
const subjectIn = async (content: Uint8Array): Promise<string | null> => {
  // Not at the start: the charsets of the world take time to load.
  const { readHeaders } = await import('./read-headers.ts')
  const header = readHeaders(content).headers.find(({ name }) => /^subject$/i.test(name))
  return header?.decoded ?? header?.value ?? null
}

export const createOriginals = ({
  platform,
  baseUrl,
  cache,
  abilities,
  contents,
  signal,
  report,
}: {
  readonly platform: Pick<MailPlatform, 'getReceivedEmail'>
  readonly baseUrl: URL
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'receivedEmails'>
  readonly abilities: Abilities
  readonly contents: Pick<Contents, 'get' | 'put' | 'has'>
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
}): Originals => {
  /** An original is fetched once, however many ask for it. */
  const underWay = new Map<string, Promise<Uint8Array>>()

  const download = async (receivedId: string, priority: Priority): Promise<Uint8Array> => {
    const linkOf = async (): Promise<string> => {
      const { rawUrl } = await platform.getReceivedEmail(receivedId, { priority, signal })
      if (rawUrl === null || rawUrl === '') throw problem('not_found', NOT_OFFERED)
      return rawUrl
    }
    const first = await linkOf()
    try {
      return await downloadSigned(first, baseUrl, signal)
    } catch (thrown) {
      if (!isExpired(thrown)) throw thrown
    }
    const second = await linkOf()
    try {
      return await downloadSigned(second, baseUrl, signal)
    } catch (thrown) {
      throw isExpired(thrown) ? problem('platform_failed', BROKEN_LINK) : thrown
    }
  }

  const fetchAndKeep = async (receivedId: string, priority: Priority): Promise<Uint8Array> => {
    const content = await download(receivedId, priority)
    // What was fetched is there to be read, whether the disk has room for it or not.
    await contents.put(originalKey(receivedId), content, { contentType: 'message/rfc822' }).catch(report)
    return content
  }

  const fetchOnce = async (receivedId: string, effort: OriginalEffort): Promise<Uint8Array> => {
    if (effort === 'onlyHere') throw problem('unreachable', WORDS.unreachable)
    const fetching =
      underWay.get(receivedId) ?? fetchAndKeep(receivedId, effort).finally(() => underWay.delete(receivedId))
    underWay.set(receivedId, fetching)
    return fetching
  }

  const kept = (receivedId: string): Promise<Uint8Array | null> =>
    contents.get(originalKey(receivedId)).then(
      (content) => content?.bytes ?? null,
      (thrown: unknown) => {
        report(thrown)
        return null
      },
    )

  const receivedOriginal = async (id: string, effort: OriginalEffort): Promise<RawEmail> => {
    const content = (await kept(id)) ?? (await fetchOnce(id, effort))
    return { filename: rawFilename(cache.receivedEmails.subjectOf(id) ?? (await subjectIn(content))), content }
  }

  /** By its own ID. @returns null where the platform does not take that */
  const fetchByThreadId = ({ id, onServer }: KeptEmail, effort: OriginalEffort): Promise<Uint8Array | null> =>
    askIfOffered(
      abilities,
      'retrieve thread original',
      () => fetchOnce(id, effort),
      () => null,
      { isEvidence: onServer },
    )

  const threadOriginal = async (email: KeptEmail, effort: OriginalEffort): Promise<Uint8Array> => {
    const own = await kept(email.id)
    if (own !== null) return own
    const copy = receivedCopyOf(cache.receivedEmails, email)?.id ?? null
    const here = copy === null ? null : await kept(copy)
    if (here !== null) return here
    if (email.direction === 'outbound') throw problem('not_found', SENT)
    const fetched = (await fetchByThreadId(email, effort)) ?? (copy === null ? null : await fetchOnce(copy, effort))
    if (fetched !== null) return fetched
    if (!email.onServer) throw problem('not_found', WORDS.not_found)
    const isMissing = abilities.belief(ACCOUNT, 'retrieve thread original') === 'seems missing'
    throw problem('not_found', isMissing ? THREADS_NOT_OFFERED : NOT_GIVEN)
  }

  const read = async (of: BodyOwner, effort: OriginalEffort): Promise<RawEmail> => {
    if (of.list !== 'threads') {
      if (of.list === 'sent') throw problem('not_found', SENT)
      return receivedOriginal(of.emailId, effort)
    }
    const email = threadEmailOf(cache, of)
    if (email === undefined) throw problem('not_found', 'This message is no longer here.')
    return { filename: rawFilename(email.subject), content: await threadOriginal(email, effort) }
  }

  return {
    isHere: (of) => {
      if (of.list === 'sent') return false
      if (contents.has(originalKey(of.emailId))) return true
      const email = threadEmailOf(cache, of)
      const copy = email === undefined ? undefined : receivedCopyOf(cache.receivedEmails, email)
      return copy !== undefined && contents.has(originalKey(copy.id))
    },
    read: async (of, effort = 'action') => {
      try {
        return await read(of, effort)
      } catch (thrown) {
        // Words of Linnet's own say more than that something was not found.
        throw saying(thrown, isNotFound(thrown) ? WORDS : { unreachable: WORDS.unreachable })
      }
    },
  }
}
