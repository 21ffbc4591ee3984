import type { MailPlatform } from './api/mail-platform.ts'
import type { CallOptions } from './api/requests.ts'
import { isNotFound, PlatformRefusal } from './api/platform-problem.ts'

/** Whether the platform itself says that there is no such thing, and not something on the way there. */
const isDenied = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && isNotFound(thrown) && thrown.isInJson

/**
 * Whether a contact was deleted elsewhere: the platform does not know it, nor is it the place of a page any more (contract,
 * "Errors"). One that does not offer the first question says so in the same words. Where either cannot be told now, it is not.
 */
export const isContactGone = async (
  platform: Pick<MailPlatform, 'getContact' | 'listContacts'>,
  contactId: string,
  options: CallOptions,
): Promise<boolean> => {
  const answers = await Promise.allSettled([
    platform.getContact(contactId, options),
    platform.listContacts({ ...options, after: contactId, limit: 1 }),
  ])
  return answers.every((answer) => answer.status === 'rejected' && isDenied(answer.reason))
}
