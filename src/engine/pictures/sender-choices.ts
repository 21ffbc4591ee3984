import { z } from 'zod'
import { SENDER_CHOICES, type SenderChoice } from '../../shared/sender-choices.ts'
import { problem } from '../saying.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'
import { domainOf, senderOf, type Sender } from './sender-of.ts'

/**
 * What a person has chosen once for all e-mails of a sender, or of everyone at a domain. No cache: nobody else has them.
 * What changes them is on the disk when it returns. @throws what the disk throws
 */
export interface SenderChoices {
  /** In the order of their names. */
  readonly all: () => readonly SenderChoice[]
  /** @throws ProblemError `invalid_input` for what is not an address or no domain */
  readonly set: (choice: SenderChoice, isOn: boolean) => void
  /** By which of the two a choice holds for a sender; null where it does not. */
  readonly of: (about: SenderChoice['about'], sender: Sender) => SenderChoice['who'] | null
}

const entry: z.ZodType<SenderChoice> = z.object({
  about: z.enum(SENDER_CHOICES.about),
  who: z.enum(SENDER_CHOICES.who),
  name: z.string().min(1).max(1_000),
})

/** More than anybody makes by hand. */
const MOST = 5_000

const keyOf = ({ about, who, name }: SenderChoice): string => `${about} ${who} ${name}`

const inOneSpelling = ({ about, who, name }: SenderChoice): SenderChoice => {
  const spelled = who === 'sender' ? senderOf(name)?.address : domainOf(name)
  if (spelled === undefined || spelled === null) {
    throw problem('invalid_input', 'Linnet cannot remember a choice for this address.')
  }
  return { about, who, name: spelled }
}

/** Opens the choices of an account. @param changed is told after each change */
export const openSenderChoices = (own: OwnLists, changed: () => void): SenderChoices => {
  const list = new OwnList(own, 'sender-choices', entry)
  let choices = new Map(list.read().map((choice) => [keyOf(choice), choice]))

  const write = (next: Map<string, SenderChoice>): void => {
    list.write([...next.values()])
    choices = next
  }

  return {
    all: () => [...choices.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    set: (wanted, isOn) => {
      const choice = inOneSpelling(wanted)
      const key = keyOf(choice)
      if (choices.has(key) === isOn) return
      if (isOn && choices.size >= MOST) {
        throw problem('invalid_input', `Linnet remembers at most ${MOST} choices. Remove one in Settings first.`)
      }
      const next = new Map(choices)
      if (isOn) next.set(key, choice)
      else next.delete(key)
      write(next)
      changed()
    },
    of: (about, { address, domain }) => {
      if (choices.has(keyOf({ about, who: 'sender', name: address }))) return 'sender'
      return choices.has(keyOf({ about, who: 'domain', name: domain })) ? 'domain' : null
    },
  }
}
