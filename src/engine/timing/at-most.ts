/** Does some pieces of work at one time at most; the others wait in the order in which they came. */
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
      // Whoever waits takes the place over.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
