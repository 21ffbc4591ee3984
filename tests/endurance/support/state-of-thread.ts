import type { Thread } from '../../../src/shared/model.ts'
import { SNOOZED } from '../../../src/shared/thread-marks.ts'

/** What a person can change of a thread, by the names that changes have for it. */
export const stateOfThread = ({ read, folder, marks }: Pick<Thread, 'read' | 'folder' | 'marks'>) => ({
  read,
  // These tests snooze in the inbox alone: the platform has such a thread there.
  folder: folder === SNOOZED ? 'inbox' : folder,
  star: marks?.isStarred ?? false,
  mute: marks?.isMuted ?? false,
  snoozedUntil: marks?.snoozedUntil ?? null,
  remindAt: marks?.remindAt ?? null,
})
