import { ownerOf, readableHost } from '../../ui/domain.ts'
import { writtenTo, type LinkReason } from './judge-link.ts'
import { onwardTarget } from './onward-target.ts'
import { callTarget } from './safe-link.ts'

/** An address in the pieces that it is shown in: what stands out is the host, whom a `mailto:` writes to, or the number. */
export interface ShownTarget {
  readonly before: string
  readonly host: string
  readonly behind: string
  /** How much of the host, from its beginning, its owner may call as they like; what follows says who that is. */
  readonly free: number
  /** Where the gateway at the host leads on to, as it is read; null where it is none, or does not say. */
  readonly onward: string | null
  /** The host as the network knows it, where that is not how it is read; null otherwise. */
  readonly asciiHost: string | null
}

/** UTF-16 units in the line of the window. */
const LONGEST = 160

const withoutMiddle = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, Math.ceil(longest / 2))}…${text.slice(-Math.floor(longest / 2))}`

/**
 * Parts an address so that its host can be told from all that is made to look like one. Nothing is decoded but the host.
 * @param target what `followedTarget` made
 * @param longest of its path, in UTF-16 units: the host is always whole
 */
export const showTarget = (target: string, longest: number = LONGEST): ShownTarget => {
  if (callTarget(target) !== null) {
    const before = target.startsWith('sms:') ? 'Text message to ' : 'Call '
    return { before, host: target.slice('tel:'.length), behind: '', free: 0, onward: null, asciiHost: null }
  }
  const url = new URL(target)
  if (url.protocol === 'mailto:') {
    const [first = '', ...others] = writtenTo(target)
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    const host = withoutMiddle(first, 320)
    return { before: 'E-mail to ', host, behind: more, free: 0, onward: null, asciiHost: null }
  }
  const readable = readableHost(url.hostname)
  const userInfo = target.slice(url.protocol.length + 2, target.indexOf(url.host, url.protocol.length + 2))
  const path = `${url.pathname}${url.search}${url.hash}`
  const owner = readableHost(ownerOf(url.hostname))
  const onward = onwardTarget(target)
  return {
    before: `${url.protocol}//${withoutMiddle(userInfo, 60)}`,
    host: readable,
    behind: `${url.port === '' ? '' : `:${url.port}`}${path === '/' ? '' : withoutMiddle(path, longest)}`,
    free: readable.endsWith(owner) ? readable.length - owner.length : 0,
    onward: onward === null ? null : readableHost(new URL(onward).hostname),
    asciiHost: readable === url.hostname ? null : url.hostname,
  }
}

/** Why a person is asked, in a sentence. @param host as it is read */
export const describeReason = (reason: LinkReason, host: string): string => {
  switch (reason.kind) {
    case 'otherHost':
      return `Its text says ${reason.named}, but it leads to ${host}.`
    case 'otherAddress':
      return `Its text says ${reason.named}, but it writes to ${host}.`
    case 'call':
      return 'This opens another program and may cost money.'
    case 'otherNumber':
      return `Its text says ${reason.named}, but the number is ${host}.`
    case 'looksLikeOwn':
      return `It leads to ${host}, which imitates your domain ${reason.own}.`
    case 'userInfo':
      return `“${withoutMiddle(reason.userInfo, 80)}” before the @ does not say where it leads.`
    case 'number':
      return 'It leads to a numeric address. Honest senders rarely use these.'
    case 'ownNetwork':
      return 'It leads to this computer or your local network.'
    case 'mixedScripts':
      return 'The site’s name mixes alphabets, which can imitate another name.'
    case 'foreignLetters':
      return 'The site’s name has letters beyond a to z. Some look like others.'
    case 'hiddenCharacters':
      return 'It contains invisible characters.'
    case 'reversedCharacters':
      return 'It contains characters that reverse the reading direction.'
    case 'covering':
      return 'It covers other content.'
    case 'crowded':
      return 'This message is too complex to tell what the link covers.'
    case 'wordless':
      return 'It has no text.'
  }
}
