import { registrableDomainOf, toReadableHost } from '../../ui/domain.ts'
import { extractGatewayTarget } from './gateway-target.ts'
import { parseMailtoRecipients, toCallTarget } from './safe-link.ts'

/** A link target split for display. `host` is emphasised: a host, a `mailto:` recipient, or a phone number. */
export interface LinkTargetParts {
  readonly before: string
  readonly host: string
  readonly behind: string
  /** Length of the part at the host's start that its owner can choose freely. The rest identifies the owner. */
  readonly free: number
  /** Readable target behind a gateway, or null if the link isn't a gateway or hides its target. */
  readonly onward: string | null
  /** Punycode host if it differs from the readable one, otherwise null. */
  readonly asciiHost: string | null
}

export const truncateMiddle = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, Math.ceil(longest / 2))}…${text.slice(-Math.floor(longest / 2))}`

/**
 * Splits an address so that its host can't be confused with a look-alike. Decodes only the host.
 * @param target output of `toLinkTarget`
 * @param longest maximum length of the path in UTF-16 units, by default for one line; the host is always complete
 */
export const splitLinkTarget = (target: string, longest = 160): LinkTargetParts => {
  if (toCallTarget(target) !== null) {
    const before = target.startsWith('sms:') ? 'Text message to ' : 'Call '
    return { before, host: target.slice('tel:'.length), behind: '', free: 0, onward: null, asciiHost: null }
  }
  const url = new URL(target)
  if (url.protocol === 'mailto:') {
    const [first = '', ...others] = parseMailtoRecipients(target)
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const host = truncateMiddle(first, 320)
    return { before: 'Write to ', host, behind: more, free: 0, onward: null, asciiHost: null }
  }
  const readable = toReadableHost(url.hostname)
  const userInfo = target.slice(url.protocol.length + 2, target.indexOf(url.host, url.protocol.length + 2))
  const path = `${url.pathname}${url.search}${url.hash}`
  const owner = toReadableHost(registrableDomainOf(url.hostname))
  const onward = extractGatewayTarget(target)
  return {
    before: `${url.protocol}//${truncateMiddle(userInfo, 60)}`,
    host: readable,
    behind: `${url.port === '' ? '' : `:${url.port}`}${path === '/' ? '' : truncateMiddle(path, longest)}`,
    free: readable.endsWith(owner) ? readable.length - owner.length : 0,
    onward: onward === null ? null : toReadableHost(new URL(onward).hostname),
    asciiHost: readable === url.hostname ? null : url.hostname,
  }
}
