import { parseAddress } from '../../ui/address.ts'
import { haveOneOwner } from '../../ui/domain.ts'
import { namedHosts } from '../reader/named-hosts.ts'

/** What of an e-mail's own words about its sender could mislead. */
export type SenderWarning =
  /** The name holds another address, or is the name of somebody else's site. */
  | { readonly kind: 'otherName'; readonly named: string; readonly address: string }
  /** An answer goes to somebody else. */
  | { readonly kind: 'answersElsewhere'; readonly to: string }
  /** An answer goes to another address of the same domain. */
  | { readonly kind: 'answersBeside'; readonly to: string }

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** UTF-16 units of a name that are looked through. */
const LONGEST = 1_000
/** Addresses for answers that are looked at. */
const MOST = 50

const namedBy = (from: string, address: string): readonly SenderWarning[] => {
  const open = from.lastIndexOf('<')
  if (open === -1) return []
  const name = from
    .slice(0, open)
    .slice(0, LONGEST)
    .replace(/^[\s"]+|[\s"]+$/g, '')
  const { hosts, addresses } = namedHosts(name, '')
  const other = addresses.find((each) => each !== address.toLowerCase())
  if (other !== undefined) return [{ kind: 'otherName', named: other, address }]
  const [host] = hosts
  const isHost = host !== undefined && addresses.length === 0 && !/\s/.test(name)
  return isHost && !haveOneOwner(host, domainOf(address)) ? [{ kind: 'otherName', named: host, address }] : []
}

/**
 * What a person should know of a sender before they believe or answer them (docs/reading.md, "Senders").
 * @param email its headers as they came
 */
export const judgeSender = ({
  from,
  replyTo,
}: {
  readonly from: string
  readonly replyTo: readonly string[]
}): readonly SenderWarning[] => {
  const { address, isUnclear } = parseAddress(from)
  // What is unclear is shown whole, as such.
  if (isUnclear || !address.includes('@')) return []
  const others = replyTo
    .slice(0, MOST)
    .map((header) => parseAddress(header).address)
    .filter((each) => each !== '' && each.toLowerCase() !== address.toLowerCase())
  const elsewhere = others.find((each) => !haveOneOwner(domainOf(each), domainOf(address)))
  const [beside] = others
  return [
    ...namedBy(from.trim(), address),
    ...(elsewhere === undefined ? [] : [{ kind: 'answersElsewhere', to: elsewhere } as const]),
    ...(elsewhere !== undefined || beside === undefined ? [] : [{ kind: 'answersBeside', to: beside } as const]),
  ]
}

export const describeSender = (warning: SenderWarning): string => {
  switch (warning.kind) {
    case 'otherName':
      return `The name says ${warning.named}, and the address is ${warning.address}.`
    case 'answersElsewhere':
      return `Your answer would go to ${warning.to}, which belongs to another domain.`
    case 'answersBeside':
      return `Your answer would go to ${warning.to}, another address of the same domain.`
  }
}
