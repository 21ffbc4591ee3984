import type { Suppression } from '../../shared/suppressions.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import { isNotFound, PlatformRefusalError } from '../platform/platform-problem.ts'
import type { CallOptions } from '../platform/requests.ts'
import type { Capabilities } from '../platform/capabilities.ts'

type Platform = Pick<MailPlatform, 'getSuppression' | 'listSuppressions'>

/** The platform has no suppression list, or doesn't offer it to this account. */
export const SUPPRESSIONS_UNSUPPORTED = 'not offered'

/** Also true for 403, because not every user has access to this part of the platform. */
const isRefused = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && [403, 404, 405].includes(thrown.status)

/**
 * A 404 means "not listed" or "no list", so the list is probed with a one-row request until it is known to exist.
 * @returns null if not listed @throws if the platform can't be reached
 */
export const findSuppression = async (
  platform: Platform,
  capabilities: Capabilities,
  address: string,
  options: CallOptions,
): Promise<Suppression | null | typeof SUPPRESSIONS_UNSUPPORTED> => {
  if (!capabilities.shouldProbe('list suppressions')) return SUPPRESSIONS_UNSUPPORTED
  try {
    const found = await platform.getSuppression(address, options)
    capabilities.recordSuccess('list suppressions')
    return found
  } catch (thrown) {
    if (!isRefused(thrown)) throw thrown
    if (isNotFound(thrown) && capabilities.belief('list suppressions') === 'offered') return null
    const list = () => platform.listSuppressions({ ...options, limit: 1 })
    const listed = await capabilities.attempt('list suppressions', list, { isLacking: isRefused })
    return listed === null ? SUPPRESSIONS_UNSUPPORTED : null
  }
}
