import type { Thread } from '../../../src/shared/model.ts'
import { SNOOZED_FOLDER } from '../../../src/shared/thread-marks.ts'

/** Thread state that the user can change, under the field names of changes. */
export const stateOfThread = ({ read, folder, marks }: Pick<Thread, 'read' | 'folder' | 'marks'>) => ({
  read,
  // These tests only snooze threads in the inbox, which is where the platform keeps them.
  folder: folder === SNOOZED_FOLDER ? 'inbox' : folder,
  star: marks?.isStarred ?? false,
  mute: marks?.isMuted ?? false,
  snoozedUntil: marks?.snoozedUntil ?? null,
  remindAt: marks?.remindAt ?? null,
})
