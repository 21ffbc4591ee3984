import type { AccountKey } from '../shared/engine-api.ts'
import type { AccountContext } from './account-context.ts'
import { AccountUsage } from './own/account-usage.ts'
import { Capabilities } from './platform/capabilities.ts'
import { NotFoundResolver } from './platform/not-found-resolver.ts'
import { PlatformAccess, type PlatformAccessParts } from './platform/platform-access.ts'
import type { CallOptions } from './platform/requests.ts'
import { SignedDownloads } from './platform/signed-downloads.ts'
import type { Cache } from './store/cache.ts'

/** The connection to the account's platform. */
export const createPlatformPart = (
  { network, keyAccepted, keyRenewed, clock, signal }: AccountContext,
  cache: Cache,
  baseUrl: URL,
  key: AccountKey | null,
  listeners: Pick<PlatformAccessParts, 'changed' | 'onReach' | 'onQuota' | 'hasAnswered'>,
) => {
  const access = new PlatformAccess({
    ...listeners,
    ...{ network, baseUrl, key, keyAccepted, keyRenewed, clock, signal },
    cachedInboxIds: () => cache.inboxes.all().map(({ inbox }) => inbox.id),
  })
  const { platform } = access
  const capabilities = new Capabilities(clock.elapsed)
  const wasListed = (id: string): boolean =>
    cache.inboxes.get(id)?.onServer === true && cache.inboxes.get(id)?.isAdded === false
  return {
    baseUrl,
    access,
    api: platform,
    capabilities,
    usage: new AccountUsage({ platform, accountMeta: cache.accountMeta, capabilities, clock, signal }),
    notFound: new NotFoundResolver({ platform, capabilities, signal, wasListed }),
    downloads: new SignedDownloads(network, baseUrl),
    /** For requests that the user is waiting for. */
    action: { priority: 'action', signal } satisfies CallOptions,
  }
}

export type PlatformPart = ReturnType<typeof createPlatformPart>
