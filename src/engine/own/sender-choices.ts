import { z } from 'zod'
import { SENDER_CHOICES, type SenderChoice } from '../../shared/sender-choices.ts'
import { LocalList, type LocalLists } from './local-list.ts'
import { domainToASCII } from 'node:url'
import { createProblem } from '../../shared/result.ts'

/** The sender that choices apply to: identified by address, whatever the display name. */
export interface Sender {
  readonly address: string
  readonly domain: string
}

/** Address form that mail servers use. Blanks, quotes, brackets or a second @ only imitate another address. */
const PLAIN = /^([^\s"'<>()[\]\\,;:@\uff20\ufe6b]+)@([^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]+)$/
/** Maximum characters of an address: RFC 5321, 4.5.3.1, with a margin. */
const MAX_ADDRESS_LENGTH = 400

/** Normalised domain, in lower-case ASCII. @returns null if invalid */
export const domainOf = (text: string): string | null => {
  // `domainToASCII` silently drops everything from a character that ends the host in a URL.
  if (/[\s/?#%\\:@<>[\]"']/.test(text.trim())) return null
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase()
  return domain === '' || domain.length > 253 ? null : domain
}

/** Lower case, with an ASCII domain. Null unless the address stands alone or in angle brackets at the end. */
export const parseSender = (from: string): Sender | null => {
  const trimmed = from.trim()
  const open = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  const plain = open === -1 ? trimmed : trimmed.slice(open + 1, -1).trim()
  if (plain.length > MAX_ADDRESS_LENGTH) return null
  const [, local, host] = PLAIN.exec(plain) ?? []
  const domain = host === undefined ? null : domainOf(host)
  return local === undefined || domain === null
    ? null
    : { address: `${local.normalize('NFC').toLowerCase()}@${domain}`, domain }
}

const entry: z.ZodType<SenderChoice> = z.object({
  about: z.enum(SENDER_CHOICES.about),
  who: z.enum(SENDER_CHOICES.who),
  name: z.string().min(1).max(1_000),
})

const MAX = 5_000

const isSame = (one: SenderChoice, other: SenderChoice): boolean =>
  one.name === other.name && one.who === other.who && one.about === other.about

const normalizeChoice = ({ about, who, name }: SenderChoice): SenderChoice => {
  const spelled = who === 'sender' ? parseSender(name)?.address : domainOf(name)
  if (spelled === undefined || spelled === null) {
    throw createProblem('invalid_input', 'This address is not valid, so Linnet can’t remember a choice for it.')
  }
  return { about, who, name: spelled }
}

/** Choices for senders and domains, stored only locally. `set` returns once on disk. @throws disk errors */
export class SenderChoices {
  readonly #list: LocalList<SenderChoice>

  constructor(own: LocalLists, changed: () => void) {
    this.#list = new LocalList(own, 'sender-choices', entry, changed)
  }

  all(): readonly SenderChoice[] {
    return this.#list.entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  }

  /** @throws ProblemError `invalid_input` for an invalid address or domain */
  set(wanted: SenderChoice, isOn: boolean): void {
    const choice = normalizeChoice(wanted)
    if (this.#has(choice) === isOn) return
    if (isOn && this.#list.entries.length >= MAX) {
      throw createProblem('invalid_input', `Linnet remembers at most ${MAX} choices. Remove one in Settings first.`)
    }
    if (isOn) this.#list.set([...this.#list.entries, choice])
    else this.#list.drop((each) => isSame(each, choice))
  }

  of(about: SenderChoice['about'], { address, domain }: Sender): SenderChoice['who'] | null {
    if (this.#has({ about, who: 'sender', name: address })) return 'sender'
    return this.#has({ about, who: 'domain', name: domain }) ? 'domain' : null
  }

  #has(choice: SenderChoice): boolean {
    return this.#list.entries.some((each) => isSame(each, choice))
  }
}
