/** Maximum characters of a name to check for typos. */
const MAX_LENGTH = 64

/** Number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other. */
const editDistance = (a: string, b: string): number => {
  const first = Array.from(a)
  const second = Array.from(b)
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: second.length + 1 }, (_none, index) => index)
  first.forEach((letter, i) => {
    const next = [i + 1]
    second.forEach((other, j) => {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      const swapped =
        i > 0 && j > 0 && letter === second[j - 1] && first[i - 1] === other ? (before[j - 1] ?? 0) + 1 : Infinity
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, changed, swapped))
    })
    before = row
    row = next
  })
  return row.at(-1) ?? 0
}

/**
 * The name that the user probably meant. @returns null if no name is close: one letter off, a third of the letters in a
 * long word, or a prefix
 */
export const findNearestName = (typed: string, names: readonly string[]): string | null => {
  const word = typed.toLowerCase()
  if (word === '' || word.length > MAX_LENGTH) return null
  const near = names
    .filter((name) => name.length <= MAX_LENGTH)
    .map((name) => {
      const lower = name.toLowerCase()
      const distance = word.length > 1 && lower.startsWith(word) ? 0.5 : editDistance(word, lower)
      return { name, distance }
    })
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
  return near[0]?.name ?? null
}
