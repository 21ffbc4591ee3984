/** Waits for all promises, then throws the first error. */
export const settleAll = async (work: readonly Promise<unknown>[]): Promise<void> => {
  const results = await Promise.allSettled(work)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}
