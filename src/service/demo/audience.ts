import type { DemoContact } from './demo-mailbox-types.ts'
import { mailboxIndex } from './mailbox-index.ts'
import { type Customer, customers } from './people.ts'
import { Random } from '../random.ts'

/** Names in which the family name comes first, as their bearers write them. */
const familyNameFirst = /^(?:[\p{Script=Han}\p{Script=Hangul}]|Nguyễn )/u

/** First and last name as a form would hold them; a name that cannot be taken apart stays whole as the first name. */
const namesOf = ({ name }: Customer): Pick<DemoContact, 'firstName' | 'lastName'> => {
  if (name === null) return { firstName: null, lastName: null }
  const words = name.split(' ')
  if (words.length === 1 && /^\p{Script=Hangul}{3}$/u.test(name))
    return { firstName: name.slice(1), lastName: name.slice(0, 1) }
  if (words.length === 1 && /^\p{Script=Han}{2}$/u.test(name))
    return { firstName: name.slice(1), lastName: name.slice(0, 1) }
  if (name.includes(',')) return { firstName: name, lastName: null }
  const [first, ...rest] = words
  const last = rest.join(' ')
  if (last === '') return { firstName: name, lastName: null }
  return familyNameFirst.test(name)
    ? { firstName: last, lastName: first ?? null }
    : { firstName: first ?? null, lastName: last }
}

const day = 86_400_000

/** The contacts of the account, created over the three years before `now`, each with a few choices of their own. */
export function contacts(now: Date): readonly DemoContact[] {
  return customers.map((customer) => {
    const random = new Random(customer.email)
    const unsubscribed = random.chance(0.08)
    const choices = mailboxIndex.topics.flatMap(({ name, defaultSubscription }): [string, 'opt_in' | 'opt_out'][] =>
      random.chance(0.2) ? [[name, defaultSubscription === 'opt_in' ? 'opt_out' : 'opt_in']] : [],
    )
    return {
      email: customer.email,
      ...namesOf(customer),
      unsubscribed,
      createdAt: new Date(now.getTime() - Math.floor((1 + random.next() * 1100) * day)),
      properties: { company: customer.company, plan: customer.plan, seats: customer.seats },
      topics: Object.fromEntries(choices),
    }
  })
}
