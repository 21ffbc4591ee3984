/** The steps of a connection, in the order in which it is made. There is a proxy’s where one leads to the server. */
export const CONNECTION_STEPS = ['way', 'name', 'line', 'proxy', 'certificate', 'platform', 'key'] as const

/** What a test of the connection found out. */
export interface ConnectionStep {
  readonly name: (typeof CONNECTION_STEPS)[number]
  /** `untried` if a step before it failed. */
  readonly state: 'well' | 'wrong' | 'untried'
  /** A sentence for a person, without any password, key or token. */
  readonly words: string
}

/** What is tested: an open account, or an address and a key that nobody keeps. */
export type TestedConnection = { readonly accountId: string } | { readonly baseUrl: string; readonly apiKey: string }
