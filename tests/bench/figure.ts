export interface Figure {
  readonly name: string
  readonly measured: number
  readonly unit: string
  /** Bound set by the design, or null for figures without one. */
  readonly bound: { readonly kind: 'at most' | 'at least'; readonly value: number } | null
  readonly note: string
}

/** Returns null without a bound. A value that isn't finite was not measured, and counts as missed. */
export const isReached = ({ measured, bound }: Figure): boolean | null => {
  if (!Number.isFinite(measured)) return false
  if (bound === null) return null
  return bound.kind === 'at most' ? measured <= bound.value : measured >= bound.value
}

/** @param share in [0, 1] */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

export const median = (values: readonly number[]): number => percentile(values, 0.5)
