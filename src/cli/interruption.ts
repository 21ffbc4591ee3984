/** The command was stopped by Ctrl-C or the system. */
export class InterruptedError extends Error {}

/** Runs work that a signal can abort; a second signal ends the process at once. */
export const runInterruptible = async <Value>(work: (ending: AbortController) => Promise<Value>): Promise<Value> => {
  const ending = new AbortController()
  const interrupt = (): void => ending.abort(new InterruptedError())
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, interrupt)
  try {
    return await work(ending)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
}
