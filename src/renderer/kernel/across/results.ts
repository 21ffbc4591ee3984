import type { Result } from '../../../shared/result.ts'

/** What several accounts have answered: whole where all have, else the first of the problems. */
export const allOf = <Data>(results: readonly Result<Data>[]): Result<readonly Data[]> => {
  const data: Data[] = []
  for (const result of results) {
    if (!result.ok) return result
    data.push(result.data)
  }
  return { ok: true, data }
}

/** What those have answered that could; the first of the problems where none could. */
export const anyOf = <Data>(results: readonly Result<Data>[]): Result<readonly Data[]> => {
  const data = results.flatMap((result) => (result.ok ? [result.data] : []))
  const problem = results.find((result) => !result.ok)
  return data.length === 0 && problem !== undefined ? problem : { ok: true, data }
}
