import { decodePercent } from '../../../shared/decode-percent.ts'
import { toSafeLinkTarget } from './safe-link.ts'

/** Extracts the onward address from a gateway link. */
type Onward = (url: URL) => string | null | undefined

const field =
  (...names: readonly string[]): Onward =>
  ({ searchParams }) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null)

const inPath =
  (pattern: RegExp): Onward =>
  ({ pathname, search }) =>
    pattern.exec(`${pathname}${search}`)?.[1]

/** Proofpoint writes `-` for `%` and `_` for `/`. */
const proofpoint: Onward = (url) =>
  url.pathname.startsWith('/v2/')
    ? field('u')(url)?.replaceAll('-', '%').replaceAll('_', '/')
    : inPath(/^\/v3\/__(.+?)(?:__;|__$|$)/)(url)

/** Gateways of recipients' mail servers, and sites that only redirect, to an address readable in the link. */
const GATEWAYS: readonly (readonly [place: RegExp, onward: Onward])[] = [
  [/^[^/]+\.safelinks\.protection\.(?:outlook\.com|office365\.us)\//, field('url')],
  [/^urldefense(?:\.proofpoint)?\.com\/v[23]\//, proofpoint],
  [/^urldefense\.proofpoint\.com\/v1\//, field('u')],
  [/^linkprotect\.cudasvc\.com\/url$/, field('a')],
  [/^secure-web\.cisco\.com\//, inPath(/^\/[^/]+\/(https?(?:%3A|:).+)$/i)],
  [/^clicktime\.symantec\.com\//, field('u')],
  [/^protect2?\.fireeye\.com\/(?:.*\/)?url$/, field('u')],
  [/^[^/]*-ctp\.trendmicro\.com\/(?:.*\/)?clicktime\//, field('url')],
  [/^(?:url\.avanan\.click|protect\.checkpoint\.com)\/v2\//, inPath(/\/___(.+?)___/)],
  [/^[^/]+\.protection\.sophos\.com\//, ({ searchParams }) => `https://${searchParams.get('d') ?? ''}/`],
  [/^www\.google\.[a-z]{2,3}(?:\.[a-z]{2})?\/url$/, field('q', 'url')],
  [
    /^www\.google\.[a-z]{2,3}(?:\.[a-z]{2})?\/amp\/s\//,
    ({ pathname }) => `https://${pathname.slice('/amp/s/'.length)}`,
  ],
  [/^www\.youtube\.com\/redirect$/, field('q')],
  [/^lm?\.facebook\.com\/l\.php$/, field('u')],
  [/^www\.linkedin\.com\/(?:safety\/go|redir\/redirect)$/, field('url')],
  [/^slack-redir\.net\/link$/, field('url')],
]

/**
 * Target behind a gateway link, without a request. Null if the link isn't a gateway or hides its target. @param target
 * from `toSafeLinkTarget`
 */
export const extractGatewayTarget = (target: string): string | null => {
  const url = new URL(target)
  const found = GATEWAYS.find(([place]) => place.test(`${url.hostname}${url.pathname}`))?.[1](url)
  if (found === undefined || found === null) return null
  const onward = toSafeLinkTarget(/^https?:/i.test(found) && !/^https?%3A/i.test(found) ? found : decodePercent(found))
  return onward === null || onward.startsWith('mailto:') ? null : onward
}
