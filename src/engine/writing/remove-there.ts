import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions } from '../api/requests.ts'
import { lacksOperation, PlatformRefusal } from '../api/platform-problem.ts'

/** Whether a draft is gone from the platform, or sent: nothing is left to delete or to change. */
const isOver = (thrown: unknown): boolean =>
  lacksOperation(thrown) ||
  (thrown instanceof PlatformRefusal && thrown.status === 409 && thrown.problem.code === 'refused')

/** Deletes a draft of the platform; one that is gone, or was sent, is no error. */
export const removeThere = async (
  platform: Pick<MailPlatform, 'deleteDraft'>,
  { inboxId, id }: { readonly inboxId: string; readonly id: string },
  options: CallOptions,
): Promise<void> => {
  try {
    await platform.deleteDraft(inboxId, id, options)
  } catch (thrown) {
    if (!isOver(thrown)) throw thrown
  }
}
