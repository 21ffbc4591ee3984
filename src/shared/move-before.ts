/** Moves or inserts an item before another one, or at the end if `before` is null or missing. */
export const moveBefore = <Item extends { readonly id: string }>(
  items: readonly Item[],
  moved: Item,
  before: string | null,
): readonly Item[] => {
  if (moved.id === before) return items
  const others = items.filter(({ id }) => id !== moved.id)
  const at = others.findIndex(({ id }) => id === before)
  return at === -1 ? [...others, moved] : others.toSpliced(at, 0, moved)
}
