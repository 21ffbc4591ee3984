/** The bytes that files may take within what the person chose. */
export interface Room {
  /** Infinite where there is no bound. */
  readonly left: () => number
  /**
   * Takes room for a file that is about to be written.
   * @returns what is told whether it was; null where there is too little room
   */
  readonly take: (bytes: number) => ((isWritten: boolean) => void) | null
  /** Files were written or removed by others. */
  readonly measure: () => void
}

/** @param used bytes of all files; it is asked for when it may be another, as counting them takes its time */
export const createRoom = (bound: () => number | null, used: () => number): Room => {
  let known: number | null = null
  /** Bytes of files that are being written. */
  let taken = 0
  const left = (): number => {
    const most = bound()
    if (most === null) return Number.POSITIVE_INFINITY
    known ??= used()
    return most - known - taken
  }
  return {
    left,
    take: (bytes) => {
      if (bytes > left()) return null
      taken += bytes
      return (isWritten) => {
        taken -= bytes
        // More than it is where the same content was here, until it is measured again.
        if (isWritten && known !== null) known += bytes
      }
    },
    measure: () => {
      known = null
    },
  }
}
