import type { Label, Thread } from '../../../shared/model.ts'

/** What changes in a thread, as far as a row shows it: a `ThreadChange`, or its reverse, which may name any folder. */
export interface ThreadPatch {
  readonly read?: boolean | undefined
  readonly folder?: string | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
}

/** The thread after the change. `labels` are the inbox's: an added label is drawn with its name and colour. */
export const applyPatch = <Row extends Thread>(thread: Row, patch: ThreadPatch, labels: readonly Label[]): Row => {
  const removed = new Set(patch.removeLabels)
  const added = new Set(patch.addLabels)
  return {
    ...thread,
    read: patch.read ?? thread.read,
    folder: patch.folder ?? thread.folder,
    labels: [
      ...thread.labels.filter((label) => !removed.has(label.id) && !added.has(label.id)),
      ...labels.filter((label) => added.has(label.id)),
    ],
  }
}

/** The patch that brings the thread back to what it is now. */
export const reverseOf = (thread: Thread, patch: ThreadPatch): ThreadPatch => {
  const carried = new Set(thread.labels.map((label) => label.id))
  return {
    read: patch.read === undefined ? undefined : thread.read,
    folder: patch.folder === undefined ? undefined : thread.folder,
    addLabels: patch.removeLabels?.filter((id) => carried.has(id)),
    removeLabels: patch.addLabels?.filter((id) => !carried.has(id)),
  }
}
