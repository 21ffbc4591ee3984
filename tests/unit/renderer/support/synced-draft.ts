/** Fields of a local draft that is fully synced. */
export const SYNCED_DRAFT = {
  ...{
    updatedAt: 1,
    files: 0,
    isOurs: true,
    isSynced: true,
    hasConflict: false,
    notKept: null,
    upload: null,
    theirs: null,
    remindAt: null,
  },
} as const
