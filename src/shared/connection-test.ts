/** Connection steps in order. The proxy step exists only if one is in use. */
export const CONNECTION_STEPS = ['way', 'name', 'line', 'proxy', 'certificate', 'platform', 'key'] as const

export interface ConnectionStep {
  readonly name: (typeof CONNECTION_STEPS)[number]
  /** `untried` after a failed step. */
  readonly state: 'well' | 'wrong' | 'untried'
  /** A sentence for the user, without passwords, keys or tokens. */
  readonly words: string
}

/** An open account, or an address and key that won't be stored. */
export type TestedConnection = { readonly accountId: string } | { readonly baseUrl: string; readonly apiKey: string }
