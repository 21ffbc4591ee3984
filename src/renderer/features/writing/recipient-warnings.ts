import type { OriginalHeaders, Recipient, WritingKind } from '../../../shared/writing.ts'
import { parseAddress } from '../../../shared/address.ts'
import { addressKey, formatRecipient } from '../../../shared/recipients.ts'
import { domainOf, haveOneOwner } from '../../ui/domain.ts'
import { describeSender, judgeSender } from '../trust/judge-sender.ts'

type People = Omit<OriginalHeaders, 'receivedAt'>

/** An at sign, also as it is written in full width, small, or in words. */
const AT = /[@\uff20\ufe6b]|[([{<]\s*at\s*[)\]}>]/i

/**
 * Whether the address of a recipient stands beside their name. It does unless the name is that of a person at the domain of
 * whom is answered: a name is chosen by whoever wrote it, the address is where the message goes.
 */
export const isAddressShown = ({ name, address }: Recipient, original: People | null): boolean =>
  name === null ||
  original === null ||
  AT.test(name) ||
  !haveOneOwner(domainOf(address), domainOf(parseAddress(original.from).address))

/**
 * What a person should know of those whom a message goes to: names that say another address, and answers that go to another
 * domain than the one that wrote (docs/trust.md, "Senders").
 * @param own addresses of the person's own inboxes
 * @returns sentences
 */
export const recipientWarnings = (
  people: readonly Recipient[],
  {
    kind,
    original,
    own,
  }: { readonly kind: WritingKind; readonly original: People | null; readonly own: readonly string[] },
): readonly string[] => {
  const names = people
    .flatMap((person) => judgeSender({ from: formatRecipient(person), replyTo: [], to: [] }, own))
    .filter((warning) => warning.kind === 'otherName')
  const isAnswer = original !== null && (kind === 'reply' || kind === 'replyAll')
  const written = new Set(people.map(({ address }) => addressKey(address)))
  const elsewhere = isAnswer
    ? judgeSender({ ...original, to: [...original.to, ...original.cc] }, own).filter(
        (warning) => warning.kind === 'answersElsewhere' && written.has(addressKey(warning.to)),
      )
    : []
  return [...new Set([...names, ...elsewhere].map(describeSender))]
}
