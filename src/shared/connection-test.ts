/** Connection steps in order. The proxy step is included only if a proxy is used. */
export const CONNECTION_STEPS = ['way', 'name', 'line', 'proxy', 'certificate', 'platform', 'key'] as const

export interface ConnectionStep {
  readonly name: (typeof CONNECTION_STEPS)[number]
  /** `untried` for steps after a failed one. */
  readonly state: 'well' | 'wrong' | 'untried'
  /** The outcome as a sentence for the user, without passwords, keys or tokens. */
  readonly words: string
}

/** An open account, or an address and key that are tested but not stored. */
export type ConnectionTestTarget =
  | { readonly accountId: string }
  | { readonly baseUrl: string; readonly apiKey: string }
