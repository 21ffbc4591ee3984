/** Waits for work, unless the signal aborts first. @throws the work's error; the signal's reason */
export const raceAbort = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abandon = (): void => reject(signal.reason as Error)
  if (signal.aborted) abandon()
  signal.addEventListener('abort', abandon, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}
