import type { Endpoint } from '../http/endpoint.ts'

/**
 * The deprecated names of segments (platform facts 5: "`/audiences` is the deprecated alias"): what is under
 * `/segments` is under `/audiences` too, and a single contact can be reached through one.
 */
export function audienceAliases(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const path = aliasOf(endpoint)
    return path === null
      ? []
      : [{ ...endpoint, path, inContract: false, summary: `${endpoint.summary} (deprecated path)` }]
  })
}

function aliasOf({ method, path }: Endpoint): string | null {
  if (path.startsWith('/segments')) return path.replace('/segments', '/audiences')
  return path === '/contacts/:contact' && method !== 'POST' ? '/audiences/:segment/contacts/:contact' : null
}
