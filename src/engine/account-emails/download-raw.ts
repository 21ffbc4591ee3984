import type { RawEmail } from '../../shared/engine-link.ts'
import type { OpenAccount } from '../account.ts'
import { isNotFound } from '../api/platform-problem.ts'
import { downloadSigned, isExpired } from '../api/raw-download.ts'
import { problem, saying } from '../saying.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import { rawFilename } from './raw-filename.ts'

/**
 * Downloads the original file of a received e-mail (contract, 6: `raw`). The signed address is always a fresh one, and
 * is asked for once more where it has run out on the way.
 * @throws ProblemError `not_found` where the platform offers none
 */
export const downloadRaw = async ({ platform, baseUrl, signal }: OpenAccount, id: string): Promise<RawEmail> => {
  const fetchOnce = async (): Promise<RawEmail> => {
    const { rawUrl, subject } = await platform.getReceivedEmail(id, { priority: 'action', signal })
    if (rawUrl === null) {
      throw problem('not_found', 'The platform does not offer the original of this e-mail.')
    }
    return { filename: rawFilename(subject), content: await downloadSigned(rawUrl, baseUrl, signal) }
  }
  try {
    return await fetchOnce().catch((thrown: unknown) => {
      if (!isExpired(thrown) || isNotFound(thrown)) throw thrown
      return fetchOnce()
    })
  } catch (thrown) {
    throw saying(inStorageWords(thrown), {
      unreachable: 'You are offline. Go online to download the original of this e-mail.',
      not_found: 'The platform does not have the original of this e-mail any more.',
    })
  }
}
