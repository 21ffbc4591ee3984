/** How long Linnet waits for what on a network, and how little is too little: docs/network.md has them as a table. */

/** Until a connection stands, its encryption included, in milliseconds. */
export const CONNECT_MS = 10_000
/** After how long a server's next address is tried, in milliseconds: one of two that does not answer costs no more. */
export const NEXT_ADDRESS_MS = 250
/** Used if none answered so soon, as over a satellite with one dead address. */
export const PATIENT_ADDRESS_MS = 3_000

/** How long a proxy that did not answer comes after the others that the system names, in milliseconds; in browsers it is as long. */
export const DEAD_MS = 300_000

/** How long a name and password that a proxy has declined are not sent to it, in milliseconds: some lock out who tries too often. */
export const DECLINED_MS = 600_000

/** How long a platform may keep silent, in milliseconds. */
export interface Silence {
  readonly usual: number
  /** Shorter for a waiting person, who can continue sooner. */
  readonly action: number
}
export const SILENCE: Silence = { usual: 30_000, action: 10_000 }

/** Milliseconds of silence, or so many usual waits, before a kept connection is replaced, if repeating is safe. */
export const SUSPECT = { after: 2_000, timesUsual: 4 } as const
/** How long what moves may pause after the network has changed, before its connection is given up. */
export const AFTER_CHANGE_MS = 3_000

/** How long a test of the connection may take as a whole, in milliseconds: a connection, and a silent platform. */
export const CONNECTION_TEST_MS = 30_000

/** How long whoever has a file may keep silent, in milliseconds. */
export const FILE_SILENCE_MS = 60_000

/** The least that an answer brings, once it has begun. One that drips would hold its place for ever. */
export interface Pace {
  readonly bytes: number
  /** Milliseconds for these bytes. */
  readonly within: number
}
/** A twentieth of a line of 64 kbit/s, which others use meanwhile. */
export const LEAST_PACE: Pace = { bytes: 16 * 1024, within: 60_000 }

/**
 * Sent bytes may lie unseen in the system's buffers: silence is excused for these many, at the slowest pace (64 kbit/s)
 * while none is known, and never longer.
 */
export const UNSEEN = { bytes: 8 * 1024 * 1024, slowest: 8_000 / 1_000, longest: 180_000 } as const
