/** Waits for work, unless the signal aborts first. @throws the work's error; the signal's reason */
export const raceAbort = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error)
    if (signal.aborted) abandon()
    signal.addEventListener('abort', abandon, { once: true })
    work.then(resolve, reject)
  })
