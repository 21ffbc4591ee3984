import { registrableDomainOf, toReadableHost } from '../../ui/domain.ts'
import { parseMailtoRecipients, type LinkWarning } from './link-warnings.ts'
import { extractGatewayTarget } from './gateway-target.ts'
import { toCallTarget } from './safe-link.ts'

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

/** UTF-16 units shown in the window's link line. */
const MAX_LENGTH = 160

const truncateMiddle = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, Math.ceil(longest / 2))}…${text.slice(-Math.floor(longest / 2))}`

/**
 * Splits an address so that its host can't be confused with a look-alike. Decodes only the host.
 * @param target output of `toLinkTarget`
 * @param longest maximum length of the path in UTF-16 units; the host is always complete
 */
export const splitLinkTarget = (target: string, longest: number = MAX_LENGTH): LinkTargetParts => {
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

/** Warnings that need no details. */
const WARNINGS = {
  call: 'The link opens another app and may cost money.',
  number: 'The link goes to a numeric address. Legitimate senders rarely use these.',
  ownNetwork: 'The link goes to this computer or your local network.',
  foreignLetters: 'The site’s name contains letters other than a to z. Some of them can be mistaken for other letters.',
  hiddenCharacters: 'The link contains invisible characters.',
  reversedCharacters: 'The link contains characters that reverse the reading direction.',
  covering: 'The link covers other content.',
  unclear: 'Linnet can’t tell what the link says, because of its styles or its length.',
  wordless: 'The link has no text.',
} as const

const needsNoDetails = (reason: LinkWarning): reason is Extract<LinkWarning, { kind: keyof typeof WARNINGS }> =>
  reason.kind in WARNINGS

/** @param host in readable form */
export const describeLinkWarning = (reason: LinkWarning, host: string): string => {
  if (needsNoDetails(reason)) return WARNINGS[reason.kind]
  switch (reason.kind) {
    case 'otherHost':
      return `The link text says ${reason.named}, but the link goes to ${host}.`
    case 'otherAddress':
      return `The link text says ${reason.named}, but the message would go to ${host}.`
    case 'otherNumber':
      return `The link text says ${reason.named}, but the number is ${host}.`
    case 'looksLikeOwn':
      return `The link goes to ${host}, which imitates your domain ${reason.own}.`
    case 'userInfo':
      return `The link doesn’t go to “${truncateMiddle(reason.userInfo, 80)}”. The part before the @ is only a user name.`
  }
}
