import type { OriginalHeaders, Recipient, DraftKind } from '../../../shared/drafts.ts'
import { parseAddress } from '../../../shared/address.ts'
import { addressKey, formatRecipient } from '../../../shared/recipients.ts'
import { domainOf, haveOneOwner } from '../../ui/domain.ts'
import { describeSenderWarning, findSenderWarnings } from '../trust/sender-warnings.ts'

type People = Omit<OriginalHeaders, 'receivedAt'>

/** An at sign: also full-width, small or spelled out. */
const AT = /[@\uff20\ufe6b]|[([{<]\s*at\s*[)\]}>]/i

/**
 * True if a recipient's address is displayed with the name. The address is omitted only for a named recipient at the
 * domain being answered: anyone can choose a name, but the address decides where the message goes.
 */
export const isAddressShown = ({ name, address }: Recipient, original: People | null): boolean =>
  name === null ||
  original === null ||
  AT.test(name) ||
  !haveOneOwner(domainOf(address), domainOf(parseAddress(original.from).address))

/**
 * Recipient warnings: names that contain a different address, and replies to a domain other than the sender's
 * (docs/trust.md, "Senders").
 * @param own addresses of the user's inboxes
 */
export const findRecipientWarnings = (
  people: readonly Recipient[],
  {
    kind,
    original,
    own,
  }: { readonly kind: DraftKind; readonly original: People | null; readonly own: readonly string[] },
): readonly string[] => {
  const names = people
    .flatMap((person) => findSenderWarnings({ from: formatRecipient(person), replyTo: [], to: [] }, own))
    .filter((warning) => warning.kind === 'otherName')
  const isAnswer = original !== null && (kind === 'reply' || kind === 'replyAll')
  const written = new Set(people.map(({ address }) => addressKey(address)))
  const remote = isAnswer
    ? findSenderWarnings({ ...original, to: [...original.to, ...original.cc] }, own).filter(
        (warning) => warning.kind === 'replyToStranger' && written.has(addressKey(warning.to)),
      )
    : []
  return [...new Set([...names, ...remote].map(describeSenderWarning))]
}
