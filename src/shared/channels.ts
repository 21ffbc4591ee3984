/** IPC channels between Electron's main process and a window, shared with the preload. */

/** Window to main: (command name, input, account) → Result. */
export const CALL_CHANNEL = 'linnet:call'
/** Main to window: an `AddressedEvent`. */
export const EVENT_CHANNEL = 'linnet:event'
