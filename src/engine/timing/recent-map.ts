/** Map that keeps the `most` most recently written entries. */
export const createRecentMap = <Value>(most: number) => {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => values.get(key),
    put: (key: string, value: Value): Value => {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
      return value
    },
    drop: (key: string): void => {
      values.delete(key)
    },
  }
}
