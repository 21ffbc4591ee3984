/** `asking`: earlier starts failed, and nothing opens until the user has chosen. */
export type RunMode = 'asking' | 'usual' | 'safe'

/** Parts that can crash. `app` means all of Linnet, reported at the next start. */
export type CrashablePart = 'window' | 'engine' | 'app'

/** Crashes in this run since the user last dismissed them. */
export interface PartCrashes {
  readonly part: Exclude<CrashablePart, 'app'>
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly lastAt: number
  /** True if the last crash was caused by a lack of memory. */
  readonly isOutOfMemory: boolean
  /** False if the part kept crashing and is no longer restarted. */
  readonly isRestarted: boolean
}

export interface RunState {
  readonly mode: RunMode
  /** One entry per part, ordered by its latest crash; the most recent is last. */
  readonly crashes: readonly PartCrashes[]
}
