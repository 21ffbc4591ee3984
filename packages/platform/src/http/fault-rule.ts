/** Injectable faults. service.md describes their effect on clients. */
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

/** Maps requests to a fault. The first matching rule applies. */
export interface FaultRule {
  readonly kind: FaultKind
  /** Such as `GET`; by default all methods. */
  readonly method?: string | undefined
  readonly path?: string | undefined
  /** Number of requests to fail; by default all. */
  readonly times?: number | undefined
  /** Number of matching requests to let pass first. */
  readonly skip?: number | undefined
  /** `delay`: milliseconds. */
  readonly delay_ms?: number | undefined
  /** `error_422`: the platform's message. */
  readonly message?: string | undefined
  /** `rate_limited` and `error_503`: `retry-after` in seconds. */
  readonly retry_after?: number | undefined
  /** `missing_field` and `unknown_enum`: the field, at any depth of the response. */
  readonly field?: string | undefined
}

export interface FaultState {
  readonly rule: FaultRule
  readonly seen: number
  /** Matching requests that got the fault. */
  readonly met: number
}
