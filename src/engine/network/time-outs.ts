/** How long Linnet waits for what on a network, and how little is too little: docs/network.md has them as a table. */

/** Until a connection stands, its encryption included, in milliseconds. */
export const CONNECT_MS = 10_000
/** After how long a server's next address is tried, in milliseconds: one of two that does not answer costs no more. */
export const NEXT_ADDRESS_MS = 250
/** The same where none of them answered so soon, as on a line by satellite of which one address is dead. */
export const PATIENT_ADDRESS_MS = 3_000

/** How long a proxy that did not answer comes after the others that the system names, in milliseconds; in browsers it is as long. */
export const DEAD_MS = 300_000

/** How long a name and password that a proxy has declined are not sent to it, in milliseconds: some lock out who tries too often. */
export const DECLINED_MS = 600_000

/** How long a platform may keep silent, in milliseconds. */
export interface Silence {
  readonly usual: number
  /** A person who waits for a silent platform is told sooner, and can go on. */
  readonly action: number
}
export const SILENCE: Silence = { usual: 30_000, action: 10_000 }

/**
 * After how many milliseconds without any sign a connection that was kept is taken for a silent one, where asking again is safe; a
 * server that usually takes its time is given so many times what it took of late.
 */
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
  /** Milliseconds in which they are to come. */
  readonly within: number
}
/** A twentieth of a line of 64 kbit/s, which others use meanwhile. */
export const LEAST_PACE: Pace = { bytes: 16 * 1024, within: 60_000 }

/**
 * What leaves this computer lies in buffers of the system first, unseen. By how much is unseen at most, and by how slow a line may be
 * (64 kbit/s) while nothing is known of it, silence is excused; never for longer than this.
 */
export const UNSEEN = { bytes: 8 * 1024 * 1024, slowest: 8_000 / 1_000, longest: 180_000 } as const
