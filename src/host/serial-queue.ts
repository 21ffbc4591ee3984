/**
 * Runs work one after the other, in the order in which it was asked for: what is under way is never interleaved with
 * what comes next, and one that fails does not hold up the others.
 */
export const createSerialQueue = (): (<Value>(work: () => Promise<Value>) => Promise<Value>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
