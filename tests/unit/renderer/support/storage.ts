/** The storage of a browser, as far as settings need it. */
export const createStorage = (kept: Readonly<Record<string, string>> = {}): Storage => {
  const items = new Map(Object.entries(kept))
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage
}
