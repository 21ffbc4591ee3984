/** One figure of the table: what was measured, and what it is to be. */
export interface Figure {
  readonly name: string
  readonly measured: number
  readonly unit: string
  /** The bound that the design sets; null where the figure stands for itself. */
  readonly bound: { readonly kind: 'at most' | 'at least'; readonly value: number } | null
  /** How the figure came about. */
  readonly note: string
}

/** Null without a bound. Something that is no finite number was not measured, and counts as missed. */
export const isReached = ({ measured, bound }: Figure): boolean | null => {
  if (!Number.isFinite(measured)) return false
  if (bound === null) return null
  return bound.kind === 'at most' ? measured <= bound.value : measured >= bound.value
}

/** @param share in [0, 1] */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
