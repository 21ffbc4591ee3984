/** What the platform says of a thread that a person can change. */
export interface ThreadState {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
}

/** Changes that are on their way to the platform: what a person sees before it has confirmed them. */
export interface ThreadOverlay {
  readonly folder?: string
  readonly read?: boolean
  /** Label IDs to whether the thread is to carry them. */
  readonly labels: ReadonlyMap<string, boolean>
}

/** What the cache asks the outbox, so that no answer of the platform makes a person's change flicker. */
export interface PendingChanges {
  readonly overlay: (inboxId: string, threadId: string) => ThreadOverlay | undefined
  /**
   * Whether a change of the thread was confirmed after this moment: an answer that was asked for before it may bring
   * the old state. Milliseconds of `performance.now()`.
   */
  readonly confirmedSince: (inboxId: string, threadId: string, askedAt: number) => boolean
}

/** The state that a person sees: the platform's, with the pending changes laid over it. */
export const applyOverlay = (server: ThreadState, overlay: ThreadOverlay | undefined): ThreadState =>
  overlay === undefined
    ? server
    : {
        folder: overlay.folder ?? server.folder,
        read: overlay.read ?? server.read,
        labelIds: [
          ...server.labelIds.filter((id) => overlay.labels.get(id) !== false),
          ...[...overlay.labels].flatMap(([id, wanted]) => (wanted && !server.labelIds.includes(id) ? [id] : [])),
        ],
      }
