import type { Suppression } from '../shared/suppressions.ts'
import type { MailPlatform } from './api/mail-platform.ts'
import { isNotFound, PlatformRefusal } from './api/platform-problem.ts'
import type { CallOptions } from './api/requests.ts'
import { ACCOUNT, type Capabilities } from './sync/capabilities.ts'
import { tryCapability } from './sync/try-capability.ts'

type Platform = Pick<MailPlatform, 'getSuppression' | 'listSuppressions'>

/** The platform has no suppression list, or doesn't offer it to this account. */
export const NOT_OFFERED = 'not offered'

/** Also true for 403, because not every user has access to this part of the platform. */
const isRefused = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && [403, 404, 405].includes(thrown.status)

/**
 * A 404 means "not listed" or "no list", so the list is probed with a one-row request until it is known to exist.
 * @returns null if not listed @throws if the platform can't be reached
 */
export const findSuppression = async (
  platform: Platform,
  capabilities: Capabilities,
  address: string,
  options: CallOptions,
): Promise<Suppression | null | typeof NOT_OFFERED> => {
  if (!capabilities.shouldProbe(ACCOUNT, 'list suppressions')) return NOT_OFFERED
  const listed = async (): Promise<null> => {
    await platform.listSuppressions({ ...options, limit: 1 })
    return null
  }
  try {
    const found = await platform.getSuppression(address, options)
    capabilities.recordSuccess(ACCOUNT, 'list suppressions')
    return found
  } catch (thrown) {
    if (!isRefused(thrown)) throw thrown
    if (isNotFound(thrown) && capabilities.belief(ACCOUNT, 'list suppressions') === 'offered') return null
    const ask = { isLacking: isRefused }
    return tryCapability(capabilities, 'list suppressions', listed, () => NOT_OFFERED, ask)
  }
}
