import { request } from 'undici'
import { ProblemError } from '../../shared/result.ts'
import { USER_AGENT } from '../version.ts'
import { isTrustedDownload } from './base-url.ts'
import { PlatformRefusal, toRefusal, toUnreachable } from './platform-problem.ts'

const MAX_BYTES = 64 * 1024 * 1024
const ANSWER_MS = 60_000

/** Whether a signed address has run out: the platform then gives a new one (platform facts 7, `download_url`). */
export const isExpired = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && [400, 401, 403, 404, 410].includes(thrown.status)

/**
 * Fetches a file from a signed address. The API key is not sent: the signature is the permission, and the address may
 * be another company's (platform facts 7).
 * @throws ProblemError `refused` for an address that is not to be trusted or a file over 64 MiB, `unreachable`;
 * PlatformRefusal for an error status
 */
export const downloadSigned = async (url: string, base: URL, signal: AbortSignal): Promise<Uint8Array> => {
  if (!URL.canParse(url) || !isTrustedDownload(new URL(url), base)) {
    throw new ProblemError({
      code: 'refused',
      message: 'The platform gave an address for this file that Linnet does not trust. Nothing was downloaded.',
    })
  }
  const tooLarge = new ProblemError({
    code: 'refused',
    message: 'This file is larger than 64 MB, the most Linnet downloads.',
  })
  try {
    const answer = await request(url, {
      headers: { 'user-agent': USER_AGENT },
      signal,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw toRefusal(answer.statusCode, null)
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > MAX_BYTES) throw tooLarge
      chunks.push(chunk)
    }
    return new Uint8Array(Buffer.concat(chunks))
  } catch (thrown) {
    if (thrown instanceof ProblemError) throw thrown
    signal.throwIfAborted()
    throw toUnreachable(thrown)
  }
}
