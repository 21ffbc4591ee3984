import { ok, type Result } from '../../../shared/result.ts'

/** All data, or the first problem. */
export const combineResults = <Data>(results: readonly Result<Data>[]): Result<readonly Data[]> => {
  const data: Data[] = []
  for (const result of results) {
    if (!result.ok) return result
    data.push(result.data)
  }
  return ok(data)
}

/** Data of all successful results; the first problem if all failed. */
export const collectSuccesses = <Data>(results: readonly Result<Data>[]): Result<readonly Data[]> => {
  const data = results.flatMap((result) => (result.ok ? [result.data] : []))
  const problem = results.find((result) => !result.ok)
  return data.length === 0 && problem !== undefined ? problem : ok(data)
}

export const mapResult = <Data, Mapped>(result: Result<Data>, map: (data: Data) => Mapped): Result<Mapped> =>
  result.ok ? ok(map(result.data)) : result

/** Alternates between the lists; every key appears once. */
export const interleave = <Item>(
  lists: readonly (readonly Item[])[],
  keyOf: (item: Item) => string,
): readonly Item[] => {
  const found = new Map<string, Item>()
  for (let turn = 0; turn < Math.max(0, ...lists.map(({ length }) => length)); turn += 1) {
    for (const list of lists) {
      const item = list[turn]
      if (item !== undefined && !found.has(keyOf(item))) found.set(keyOf(item), item)
    }
  }
  return [...found.values()]
}

export const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0)
