import { createSharedCalls } from '../timing/share-calls.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import type { RequestedFile } from '../../shared/engine-api.ts'
import { toSafeFilename } from '../../shared/safe-filename.ts'
import { isNotFound } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import { withMessage } from '../platform/problem.ts'
import type { CachedEmail } from '../store/emails.ts'
import { findReceivedCopy } from '../store/same-message.ts'
import { findThreadEmail } from '../store/thread-email.ts'
import type { AccountServices } from './account-services.ts'
import { rawMessageKey } from './raw-message-key.ts'
import { createProblem } from '../../shared/result.ts'

export type FetchPriority = Priority | 'localOnly'

const MESSAGES = {
  unreachable:
    'You are offline, and the original of this message is not on this computer yet. Go online to download it.',
  not_found: 'The original of this message is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform has no original of this message.'
const SENT = 'The platform does not keep originals of messages you sent.'
const THREADS_NOT_OFFERED = 'This platform does not provide originals of messages in threads.'
const NOT_GIVEN = 'The platform did not return the original. Try again later.'
const BROKEN_LINK = 'The platform’s link to the original does not work. Try again later.'

export const rawFilename = (subject: string | null): string => `${toSafeFilename(subject ?? '') || 'e-mail'}.eml`

/** Subject from the headers, for an e-mail that isn't in any stored list. */
const subjectIn = async (content: Uint8Array): Promise<string | null> => {
  // Loaded on demand: the charset tables would slow down startup.
  const { parseHeaders: readHeaders } = await import('./parse-headers.ts')
  const header = readHeaders(content).headers.find(({ name }) => /^subject$/i.test(name))
  return header?.decoded ?? header?.value ?? null
}

type RawMessagesParts = Pick<
  AccountServices,
  'platform' | 'downloads' | 'cache' | 'capabilities' | 'blobs' | 'signal' | 'report'
>

export class RawMessages {
  readonly #parts: RawMessagesParts
  readonly #shared = createSharedCalls<Uint8Array>()

  constructor(parts: RawMessagesParts) {
    this.#parts = parts
  }

  /**
   * Reads the raw source from disk, or else from the platform (platform.md 21.6, and 12.4 for threads).
   * @throws ProblemError `not_found` if the platform offers none, `unreachable`, `refused` if too large or the URL is
   * untrusted
   */
  async read(of: BodyOwner, fetchPriority: FetchPriority = 'action'): Promise<RequestedFile> {
    try {
      if (of.list === 'threads') return await this.#readOfThread(of, fetchPriority)
      if (of.list === 'sent') throw createProblem('not_found', SENT)
      return await this.#readReceived(of.emailId, fetchPriority)
    } catch (thrown) {
      // These messages are more helpful than a generic "not found".
      throw withMessage(thrown, isNotFound(thrown) ? MESSAGES : { unreachable: MESSAGES.unreachable })
    }
  }

  isHere(of: BodyOwner): boolean {
    const { cache, blobs } = this.#parts
    if (of.list === 'sent') return false
    if (blobs.has(rawMessageKey(of.emailId))) return true
    const email = findThreadEmail(cache, of)
    const copy = email === undefined ? undefined : findReceivedCopy(cache.receivedEmails, email)
    return copy !== undefined && blobs.has(rawMessageKey(copy.id))
  }

  async #readReceived(id: string, fetchPriority: FetchPriority): Promise<RequestedFile> {
    const content = (await this.#readStored(id)) ?? (await this.#fetchOnce(id, fetchPriority))
    const subject = this.#parts.cache.receivedEmails.subjectOf(id) ?? (await subjectIn(content))
    return { filename: rawFilename(subject), content }
  }

  async #readOfThread(of: BodyOwner, fetchPriority: FetchPriority): Promise<RequestedFile> {
    const email = findThreadEmail(this.#parts.cache, of)
    if (email === undefined) throw createProblem('not_found', 'This message is no longer on this computer.')
    return { filename: rawFilename(email.subject), content: await this.#threadOriginal(email, fetchPriority) }
  }

  async #threadOriginal(email: CachedEmail, fetchPriority: FetchPriority): Promise<Uint8Array> {
    const { cache, capabilities } = this.#parts
    const own = await this.#readStored(email.id)
    if (own !== null) return own
    const copy = findReceivedCopy(cache.receivedEmails, email)?.id ?? null
    const here = copy === null ? null : await this.#readStored(copy)
    if (here !== null) return here
    if (email.direction === 'outbound') throw createProblem('not_found', SENT)
    const fetched =
      (await this.#fetchByThreadId(email, fetchPriority)) ??
      (copy === null ? null : await this.#fetchOnce(copy, fetchPriority))
    if (fetched !== null) return fetched
    if (!email.onServer) throw createProblem('not_found', MESSAGES.not_found)
    const isMissing = capabilities.belief('retrieve raw thread message') === 'seems missing'
    throw createProblem('not_found', isMissing ? THREADS_NOT_OFFERED : NOT_GIVEN)
  }

  /** @returns null if the platform doesn't accept the e-mail's ID in the thread */
  #fetchByThreadId({ id, onServer }: CachedEmail, fetchPriority: FetchPriority): Promise<Uint8Array | null> {
    return this.#parts.capabilities.attempt('retrieve raw thread message', () => this.#fetchOnce(id, fetchPriority), {
      isEvidence: onServer,
    })
  }

  async #readStored(receivedId: string): Promise<Uint8Array | null> {
    try {
      return (await this.#parts.blobs.get(rawMessageKey(receivedId)))?.bytes ?? null
    } catch (thrown) {
      this.#parts.report(thrown)
      return null
    }
  }

  async #fetchOnce(receivedId: string, fetchPriority: FetchPriority): Promise<Uint8Array> {
    if (fetchPriority === 'localOnly') throw createProblem('unreachable', MESSAGES.unreachable)
    return this.#shared(receivedId, () => this.#fetchAndStore(receivedId, fetchPriority))
  }

  async #fetchAndStore(receivedId: string, priority: Priority): Promise<Uint8Array> {
    const { platform, downloads, blobs, signal, report } = this.#parts
    const askForLink = async (): Promise<string> => {
      const { rawUrl } = await platform.getReceivedEmail(receivedId, { priority, signal })
      if (rawUrl === null || rawUrl === '') throw createProblem('not_found', NOT_OFFERED)
      return rawUrl
    }
    const content = await downloads.fetchFresh(askForLink, BROKEN_LINK, signal)
    // A full disk must not prevent reading the e-mail.
    await blobs.put(rawMessageKey(receivedId), content, { contentType: 'message/rfc822' }).catch(report)
    return content
  }
}
