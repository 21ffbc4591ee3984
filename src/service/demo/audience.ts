import type { DemoContact, DemoTopic } from './demo-mailbox-types.ts'
import { type Customer, customers } from './people.ts'
import { seededRandom } from './random.ts'

/** The twelve topics to which a contact can subscribe. */
export const topics: readonly DemoTopic[] = [
  {
    name: 'Release notes',
    description: 'What is new in each version, in plain words.',
    defaultSubscription: 'opt_in',
    visibility: 'public',
  },
  {
    name: 'Maintenance windows',
    description: 'When Larkspur sleeps, at least three days ahead.',
    defaultSubscription: 'opt_in',
    visibility: 'public',
  },
  {
    name: 'Security notices',
    description: 'Rare, short and important.',
    defaultSubscription: 'opt_in',
    visibility: 'public',
  },
  {
    name: 'Billing reminders',
    description: 'Before a card expires or a trial ends.',
    defaultSubscription: 'opt_in',
    visibility: 'private',
  },
  {
    name: 'Tips for managers',
    description: 'One thing a month that makes the rota faster.',
    defaultSubscription: 'opt_in',
    visibility: 'public',
  },
  {
    name: 'Payroll and working time',
    description: 'Changes in the rules of eleven countries, as they come into force.',
    defaultSubscription: 'opt_out',
    visibility: 'public',
  },
  {
    name: 'Beta programme',
    description: 'New versions two weeks early, and somebody who listens.',
    defaultSubscription: 'opt_out',
    visibility: 'public',
  },
  {
    name: 'Research invitations',
    description: 'Half an hour with a designer, paid in cake.',
    defaultSubscription: 'opt_out',
    visibility: 'public',
  },
  {
    name: 'Customer stories',
    description: 'How others do it, with pictures of their kitchens.',
    defaultSubscription: 'opt_out',
    visibility: 'public',
  },
  {
    name: 'Meet-ups',
    description: 'Evenings near you, never more than four a year.',
    defaultSubscription: 'opt_out',
    visibility: 'public',
  },
  { name: 'Partners and integrations', description: null, defaultSubscription: 'opt_out', visibility: 'public' },
  {
    name: 'Account health',
    description: 'For the account team: unusual changes in how a place is used.',
    defaultSubscription: 'opt_out',
    visibility: 'private',
  },
]

/** The custom properties that contacts carry. */
export const contactProperties = [
  { key: 'company', type: 'string' },
  { key: 'plan', type: 'string' },
  { key: 'seats', type: 'number' },
] as const

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
  return Object.values<Customer>(customers).map((customer) => {
    const random = seededRandom(customer.email)
    const unsubscribed = random.chance(0.08)
    const choices = topics.flatMap(({ name, defaultSubscription }): [string, 'opt_in' | 'opt_out'][] =>
      random.chance(0.2) ? [[name, defaultSubscription === 'opt_in' ? 'opt_out' : 'opt_in']] : [],
    )
    return {
      email: customer.email,
      ...namesOf(customer),
      unsubscribed,
      createdAt: new Date(now.getTime() - Math.floor((1 + random.fraction() * 1100) * day)),
      properties: { company: customer.company, plan: customer.plan, seats: customer.seats },
      topics: Object.fromEntries(choices),
    }
  })
}
