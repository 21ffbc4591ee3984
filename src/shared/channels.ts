/** IPC channels between Electron's main process and a window, shared with the preload. */

/** Window to main process, with the command name, input and account; returns a `Result`. */
export const CALL_CHANNEL = 'linnet:call'
/** Main process to window, with an `AddressedEvent`. */
export const EVENT_CHANNEL = 'linnet:event'
