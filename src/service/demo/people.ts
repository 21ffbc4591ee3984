import { inboxAddress } from './mailbox-index.ts'
import { readTable } from './resources.ts'

/**
 * The people of the demo's fiction. Larkspur is an invented rota planner for cafés, bakeries and small restaurants; every
 * address lies in a domain that is reserved for examples (RFC 2606, RFC 6761), so nobody real can be written to.
 */
export interface Correspondent {
  readonly name: string | null
  readonly email: string
  /** Stands below every message that this person writes. */
  readonly signature?: string
}

/** A correspondent who pays for Larkspur, or might: one of the account's contacts. */
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

/** Those with a role answer the support inbox, and write from its address; the others write to it from their own. */
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

/** Finds a person by what a letter says: a key of `contacts.csv` or `team.csv`, `Name <address>` or an address. */
export function personOf(written: string): Correspondent {
  const known = customersByKey.get(written) ?? team.get(written)
  if (known !== undefined) return known
  const [, name, address] = /^(.+) <([^<>\s]+@[^<>\s]+)>$/.exec(written) ?? []
  if (name !== undefined && address !== undefined) return { name, email: address }
  if (/^[^<>\s]+@[^<>\s]+$/.test(written)) return { name: null, email: written }
  throw new Error(`“${written}” is neither an address nor a key of contacts.csv or team.csv.`)
}
