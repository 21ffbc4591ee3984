export const limitConcurrency = (most: number): (<Value>(work: () => Promise<Value>) => Promise<Value>) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Hand the slot to the next call.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
