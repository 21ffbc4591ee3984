/** Time-outs and minimum speeds of the network; docs/network.md has the table. */

/** Limit for connecting, including TLS, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 10_000
/** Delay before a server's next address is tried, in milliseconds, so a dead address costs no more than this. */
export const ATTEMPT_DELAY_MS = 250
/** In milliseconds. Used next if no address answered within `ATTEMPT_DELAY_MS`, for example over satellite. */
export const SLOW_ATTEMPT_DELAY_MS = 3_000

/** Time during which a dead proxy is tried last, in milliseconds; the same as in browsers. */
export const DEAD_PROXY_MS = 300_000

/** Pause before declined credentials are sent again, in milliseconds: some proxies lock out repeated attempts. */
export const CREDENTIAL_RETRY_DELAY_MS = 600_000

/** Longest allowed silence of a platform, in milliseconds. */
export interface IdleTimeouts {
  readonly usual: number
  /** For requests that the user is waiting for. Shorter, so they can move on. */
  readonly action: number
}
export const IDLE_TIMEOUTS: IdleTimeouts = { usual: 30_000, action: 10_000 }

/** Silence, in ms and as a multiple of the usual wait, before a kept connection is replaced, if repeating is safe. */
export const STALE_CONNECTION_LIMITS = { after: 2_000, timesUsual: 4 } as const
/** Longest pause of an active transfer after a network change, in milliseconds. */
export const NETWORK_CHANGE_IDLE_TIMEOUT_MS = 3_000

/** Limit for a complete connection test, in milliseconds: connecting, then a silent platform. */
export const CONNECTION_TEST_MS = 30_000

/** Longest allowed silence of a file server, in milliseconds. */
export const FILE_IDLE_TIMEOUT_MS = 60_000

/** Minimum speed of a response body. A trickle would otherwise hold its slot forever. */
export interface MinimumSpeed {
  readonly bytes: number
  /** Milliseconds for these bytes. */
  readonly within: number
}
/** A thirtieth of a 64 kbit/s connection that is shared with other traffic. */
export const MINIMUM_SPEED: MinimumSpeed = { bytes: 16 * 1024, within: 60_000 }

/**
 * Sent bytes may sit in system buffers, so silence is excused while they may still be leaving: for as long as at most
 * this many bytes take at the measured speed (64 kbit/s until one is known), and never longer than `longest`.
 */
export const SEND_BUFFER_ALLOWANCE = { bytes: 8 * 1024 * 1024, slowest: 8_000 / 1_000, longest: 180_000 } as const
