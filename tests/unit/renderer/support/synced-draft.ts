/** What is said of every draft that this computer began and the platform has as it is here. */
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
