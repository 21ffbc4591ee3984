/** Map that keeps the `most` most recently written entries. */
export const createRecentMap = <Value>(most: number) => {
  const values = new Map<string, Value>()
  const put = (key: string, value: Value): Value => {
    values.delete(key)
    values.set(key, value)
    const [oldest] = values.keys()
    if (values.size > most && oldest !== undefined) values.delete(oldest)
    return value
  }
  return {
    get: (key: string): Value | undefined => values.get(key),
    put,
    drop: (key: string): void => {
      values.delete(key)
    },
  }
}

/** Remembers results, also while they are computed, and forgets failures. */
export const createResultCache = <Value>(most: number) => {
  const results = createRecentMap<Promise<Value>>(most)
  return {
    drop: results.drop,
    get: (key: string, compute: () => Promise<Value>): Promise<Value> => {
      const known = results.get(key)
      if (known !== undefined) return known
      const result = results.put(key, compute())
      result.catch(() => results.drop(key))
      return result
    },
  }
}
