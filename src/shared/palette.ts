/** The platform's label colours, under the names that it once used (platform.md 15.6). */
export const PALETTE = [
  { name: 'Crimson', color: '#E93D82' },
  { name: 'Orange', color: '#F76B15' },
  { name: 'Yellow', color: '#FFE629' },
  { name: 'Lime', color: '#BDEE63' },
  { name: 'Grass', color: '#46A758' },
  { name: 'Teal', color: '#12A594' },
  { name: 'Cyan', color: '#00A2C7' },
  { name: 'Iris', color: '#5B5BD6' },
  { name: 'Plum', color: '#AB4ABA' },
  { name: 'Bronze', color: '#A18072' },
  { name: 'Mauve', color: '#8E8C99' },
] as const

/**
 * The least used of the offered colours. @param taken colours in use, as `#RRGGBB` in capitals @param offered colours
 * in order of preference
 */
export const pickLeastUsedColor = (
  taken: readonly string[],
  offered: readonly string[] = PALETTE.map(({ color }) => color),
): string => {
  const usesOf = (color: string): number => taken.filter((each) => each === color).length
  return offered.reduce((best, color) => (usesOf(color) < usesOf(best) ? color : best))
}
