/** File name without `.json`. */
export const SETTINGS_NAME = 'linnet'
/** Separate from the accounts, so that damage to one file doesn't affect the other. */
export const PREFERENCES_NAME = 'preferences'
export const SETTINGS_FILE_MODE = 0o600
