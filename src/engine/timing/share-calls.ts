/** Concurrent calls with the same key share one run of the work. */
export const createSharedCalls = <Value>() => {
  const running = new Map<string, Promise<Value>>()
  return (key: string, work: () => Promise<Value>): Promise<Value> => {
    const result = running.get(key) ?? work().finally(() => running.delete(key))
    running.set(key, result)
    return result
  }
}
