/** Limits parallel work; the rest waits in order. */
export const atMost = (most: number): (<Value>(work: () => Promise<Value>) => Promise<Value>) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The next one takes over its place.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
