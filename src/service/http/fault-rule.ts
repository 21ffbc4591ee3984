/** What can go wrong on demand. docs/service.md says what a client sees of each. */
export const faultKinds = [
  'delay',
  'error_422',
  'error_500',
  'error_503',
  'rate_limited',
  'html',
  'lost',
  'cut',
  'truncated_json',
  'malformed_json',
  'unknown_fields',
  'unknown_enum',
  'missing_field',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** Which requests meet which fault. The first rule that fits a request takes it. */
export interface FaultRule {
  readonly kind: FaultKind
  /** Such as `GET`; all methods without it. */
  readonly method?: string | undefined
  readonly path?: string | undefined
  /** How many requests meet it; without it all do. */
  readonly times?: number | undefined
  /** How many fitting requests pass before. */
  readonly skip?: number | undefined
  /** `delay`: milliseconds. */
  readonly delay_ms?: number | undefined
  /** `error_422`: what the platform says is wrong. */
  readonly message?: string | undefined
  /** `rate_limited` and `error_503`: seconds in `retry-after`. */
  readonly retry_after?: number | undefined
  /** `missing_field` and `unknown_enum`: the field, wherever it stands in the answer. */
  readonly field?: string | undefined
}

/** A rule with what it has done so far. */
export interface FaultState {
  readonly rule: FaultRule
  /** Requests that fitted. */
  readonly seen: number
  /** Those of them that met the fault. */
  readonly met: number
}
