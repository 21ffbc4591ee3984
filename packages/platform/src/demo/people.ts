import { inboxAddress } from './mailbox-index.ts'
import { readTable } from './resources.ts'

/**
 * The demo's people. Larkspur is an invented rota planner for cafés and restaurants. All addresses are in domains
 * reserved for examples (RFC 2606, RFC 6761), so no real person gets mail.
 */
export interface Correspondent {
  readonly name: string | null
  readonly email: string
  readonly signature?: string
}

/** A current or potential customer of Larkspur, who is one of the account's contacts. */
export interface Customer extends Correspondent {
  readonly company: string
  readonly plan: string
  readonly seats: number
}

const customersByKey = new Map(
  Array.from(readTable('contacts.csv', ['name', 'email', 'company', 'plan', 'seats']), ([key, row]) => {
    const customer: Customer = { ...row, name: row.name === '' ? null : row.name, seats: Number(row.seats) }
    return [key, customer]
  }),
)

export const customers: readonly Customer[] = [...customersByKey.values()]

/** Members with a role reply to the support inbox's mail from its address; the others write to it from their own. */
const team = new Map(
  Array.from(readTable('team.csv', ['name', 'email', 'role']), ([key, { name, email, role }]) => {
    const member: Correspondent =
      email === inboxAddress
        ? {
            name: `${name.split(' ')[0] ?? name} at Larkspur`,
            email,
            signature: `${name}\n${role} · Larkspur\nhttps://help.larkspur.example`,
          }
        : { name, email }
    return [key, member]
  }),
)

/** Resolves a name in a letter: a key of `contacts.csv` or `team.csv`, `Name <address>`, or an address. */
export function resolveCorrespondent(written: string): Correspondent {
  const known = customersByKey.get(written) ?? team.get(written)
  if (known !== undefined) return known
  const [, name, address] = /^(.+) <([^<>\s]+@[^<>\s]+)>$/.exec(written) ?? []
  if (name !== undefined && address !== undefined) return { name, email: address }
  if (/^[^<>\s]+@[^<>\s]+$/.test(written)) return { name: null, email: written }
  throw new Error(`“${written}” is neither an address nor a key of contacts.csv or team.csv.`)
}
