/** A look that several may ask for at once. */
export interface OneLook {
  /**
   * Takes part in the next look. What somebody asks for during one may have changed behind it: one more is for all who
   * ask until it starts.
   */
  readonly take: () => Promise<void>
  /** Resolves when no look is under way, however it went. */
  readonly ended: () => Promise<void>
}

export const createOneLook = (look: () => Promise<void>): OneLook => {
  let underWay: Promise<void> | null = null
  let following: Promise<void> | null = null
  const start = (): Promise<void> => {
    const started = look().finally(() => {
      underWay = null
    })
    underWay = started
    return started
  }
  return {
    take: () => {
      if (underWay === null) return start()
      following ??= underWay
        .catch(() => undefined)
        .then(() => {
          following = null
          return start()
        })
      return following
    },
    ended: async () => {
      await Promise.all([underWay?.catch(() => undefined), following?.catch(() => undefined)])
    },
  }
}
