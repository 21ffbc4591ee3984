/** The settings' file, without `.json`. */
export const SETTINGS_NAME = 'linnet'
/** The preferences' file, apart from the accounts: neither is lost with the other. */
export const PREFERENCES_NAME = 'preferences'
/** Nobody else on this computer reads them. */
export const SETTINGS_MODE = 0o600
