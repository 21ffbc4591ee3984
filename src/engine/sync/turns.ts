/**
 * Runs pieces of heavy work one after the other, each in a turn of the event loop of its own: a question from a screen
 * that comes in the meantime is answered between two pieces and not after all of them.
 */
export type InTurn = <Value>(work: () => Value) => Promise<Value>

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const createTurns = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(nextTurn).then(work)
    // What fails is the concern of who asked for it; the next one has its turn all the same.
    last = result.catch(() => undefined)
    return result
  }
}
