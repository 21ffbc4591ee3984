/** What a run of Linnet is: as usual, or with as little as it can do; and what of it has ended unexpectedly. */

/** `asking`: the starts before this one failed, and nothing is opened before a person has chosen. */
export type RunMode = 'asking' | 'usual' | 'safe'

/** What can end without being asked to. `app`: all of Linnet, of which the next start hears. */
export type RunPart = 'window' | 'engine' | 'app'

/** What ended in this run, since a person last put it away. */
export interface PartEnds {
  readonly part: Exclude<RunPart, 'app'>
  readonly count: number
  /** When it ended last, milliseconds since the epoch. */
  readonly lastAt: number
  /** Whether memory ran out, the last time. */
  readonly isOutOfMemory: boolean
  /** Whether it is there again, or soon will be; false where it kept ending and is left alone. */
  readonly isBack: boolean
}

export interface RunState {
  readonly mode: RunMode
  /** Each part once, the one that ended last at the end. */
  readonly ends: readonly PartEnds[]
}
