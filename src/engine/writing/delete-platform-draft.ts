import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions } from '../api/requests.ts'
import { lacksOperation, PlatformRefusalError } from '../api/platform-problem.ts'

const isGoneOrSent = (thrown: unknown): boolean =>
  lacksOperation(thrown) ||
  (thrown instanceof PlatformRefusalError && thrown.status === 409 && thrown.problem.code === 'refused')

/** Deletes a draft from the platform. Not an error if it is already gone or sent. */
export const deletePlatformDraft = async (
  platform: Pick<MailPlatform, 'deleteDraft'>,
  { inboxId, id }: { readonly inboxId: string; readonly id: string },
  options: CallOptions,
): Promise<void> => {
  try {
    await platform.deleteDraft(inboxId, id, options)
  } catch (thrown) {
    if (!isGoneOrSent(thrown)) throw thrown
  }
}
