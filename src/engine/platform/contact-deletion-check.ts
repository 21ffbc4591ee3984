import type { MailPlatform } from './mail-platform.ts'
import type { CallOptions } from './requests.ts'
import { isNotFound, PlatformRefusalError } from './platform-problem.ts'

/** True if the platform itself reports a 404, not an intermediary. */
const isPlatformNotFound = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && isNotFound(thrown) && thrown.isInJson

/**
 * True if a contact was deleted remotely: its ID is unknown, and no longer a valid cursor (platform.md 5.5). The 404
 * alone proves nothing, because platforms that can't retrieve contacts return the same. False if unclear.
 */
export const isContactDeleted = async (
  platform: Pick<MailPlatform, 'getContact' | 'listContacts'>,
  contactId: string,
  options: CallOptions,
): Promise<boolean> => {
  const answers = await Promise.allSettled([
    platform.getContact(contactId, options),
    platform.listContacts({ ...options, after: contactId, limit: 1 }),
  ])
  return answers.every((answer) => answer.status === 'rejected' && isPlatformNotFound(answer.reason))
}
