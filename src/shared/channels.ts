/** The two channels between Electron's main process and a window; their names stand on both sides of the preload. */

/** A window asks: (command name, input, account) → Result. */
export const CALL_CHANNEL = 'linnet:call'
/** A window is told: an `AddressedEvent`. */
export const EVENT_CHANNEL = 'linnet:event'
